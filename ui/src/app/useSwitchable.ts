import { useInstances, useTenants } from '@/api';

/** What the switcher changes: the instance if this computer knows others, else the tenant; null if there is no choice. */
export function useSwitchable(): 'instance' | 'tenant' | null {
  const others = useInstances().data;
  const tenants = useTenants();
  if (others) return 'instance';
  return tenants.length > 0 ? 'tenant' : null;
}
