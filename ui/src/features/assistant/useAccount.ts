import { useGraphQL } from '@/api';
import { Accounts } from './queries';

/** The accounts a person may ask about, and the one in front: the one of the address, else the first. */
export function useAccount(chosen: string | undefined) {
  const accounts = useGraphQL(Accounts, {});
  const all = accounts.data?.cloud_accounts ?? [];
  const account = all.find(({ id }) => id === chosen) ?? all[0];
  return { accounts, all, account };
}
