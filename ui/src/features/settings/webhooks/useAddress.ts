import { useOriginInFront } from '@/api';

/** The full URL of a token; `origin` is null while the public origin of the instance is unknown. */
export function useAddress(): (token: string) => { text: string; origin: string | null } {
  const origin = useOriginInFront();
  return (token) => ({ text: `${origin ?? ''}/api/webhooks/${token}`, origin });
}
