import { useQuery } from '@tanstack/react-query';
import { useServiceAdmin } from '@/api';
import type { ApiError, Rest } from '@/api';

/** An account at an identity provider that is one of our people. Times are ISO 8601, UTC. */
export type LinkedAccount = Rest.LinkedAccount;

/** The linked accounts of all users; for administrators. */
export function useLinkedAccounts(enabled: boolean) {
  const service = useServiceAdmin();
  return useQuery<LinkedAccount[], ApiError>({
    queryKey: ['sign-on', 'accounts'],
    enabled: enabled && service.enabled,
    queryFn: ({ signal }) => service.ask<LinkedAccount[]>('/api/auth/saml/accounts', signal),
  });
}

/** The accounts of each user, by the user's id. */
export function byUser(accounts: readonly LinkedAccount[]): ReadonlyMap<string, LinkedAccount[]> {
  const found = new Map<string, LinkedAccount[]>();
  for (const account of accounts) found.set(account.user, [...(found.get(account.user) ?? []), account]);
  return found;
}
