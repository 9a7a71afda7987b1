import { useSession } from '@/api';

/** Why a page that administrators of the tenant change is only read here; undefined for them. */
export function useAdminOnly(): string | undefined {
  const session = useSession().data;
  return !session || session.roles.includes('tenant_admin')
    ? undefined
    : 'An administrator of the tenant can change this';
}
