import { ofCloud, useGraphQL } from '@/api';
import type { ResultOf } from '@/api';
import { Accounts, NewestEvent } from './queries';

type Account = ResultOf<typeof Accounts>['cloud_accounts'][number];

/** The accounts the user can ask about, and the selected one: from the address, else the default. */
export function useAccount(
  chosen: string | undefined,
  usual: (all: readonly Account[]) => Account | undefined = ofCloud,
) {
  const accounts = useGraphQL(Accounts, {});
  const all = accounts.data?.cloud_accounts ?? [];
  const account = all.find(({ id }) => id === chosen) ?? usual(all);
  return { accounts, all, account };
}

/** The same for events: the default is the account of the newest event, which loads a moment later. */
export function useAccountOfEvents(chosen: string | undefined) {
  const newest = useGraphQL(NewestEvent, {}, { enabled: chosen === undefined });
  const [event] = newest.data?.events ?? [];
  const isKnown = chosen !== undefined || newest.data !== undefined || newest.error !== null;
  const found = useAccount(chosen ?? event?.cloud_account_id ?? undefined, (all) => all[0]);
  return { ...found, account: isKnown ? found.account : undefined, isKnown };
}
