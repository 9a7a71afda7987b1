import { ofCloud, useGraphQL } from '@/api';
import type { ResultOf } from '@/api';
import { Accounts } from './queries';

type Account = ResultOf<typeof Accounts>['cloud_accounts'][number];

/** The accounts a person may ask about, and the one in front: the one of the address, else the usual one. */
export function useAccount(
  chosen: string | undefined,
  usual: (all: readonly Account[]) => Account | undefined = ofCloud,
) {
  const accounts = useGraphQL(Accounts, {});
  const all = accounts.data?.cloud_accounts ?? [];
  const account = all.find(({ id }) => id === chosen) ?? usual(all);
  return { accounts, all, account };
}

/** The first account of all: events are of those that alerts came with, too. */
export function first(all: readonly Account[]): Account | undefined {
  return all[0];
}
