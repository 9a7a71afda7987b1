import { useOriginInFront } from '@/api';

/** The whole address of a token; `origin` is null while nobody can say how others reach the instance in front. */
export function useAddress(): (token: string) => { text: string; origin: string | null } {
  const origin = useOriginInFront();
  return (token) => ({ text: `${origin ?? ''}/api/webhooks/${token}`, origin });
}
