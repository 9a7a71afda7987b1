import { useQueries } from '@tanstack/react-query';
import { graphqlOptions, useGraphQL } from '@/api';
import { AutomationAccounts, WorkflowList } from './queries';
import type { ListedWorkflow } from './queries';

/** Polling interval of active runs, ms. */
export const again = 3_000;
const seldom = 30_000;

/** A workflow in the list, with the name of its account. */
export interface Row {
  id: string;
  accountId: string;
  account: string;
  stored: ListedWorkflow;
}

/** All workflows of the user's accounts. The API lists those of one account, so each account is queried. */
export function useWorkflows() {
  const accounts = useGraphQL(AutomationAccounts, {});
  const all = accounts.data?.cloud_accounts ?? [];
  const lists = useQueries({
    queries: all.map(({ id }) => ({ ...graphqlOptions(WorkflowList, { account: id }), refetchInterval: seldom })),
    combine: (answers) => ({
      isComplete: answers.every(({ data }) => data !== undefined),
      error: answers.find(({ error }) => error)?.error ?? null,
      found: answers.map(({ data }) => data?.workflow_list?.workflows ?? []),
      refetch: () => {
        for (const one of answers) void one.refetch();
      },
    }),
  });
  const rows = lists.found.flatMap((list, at): Row[] =>
    list.flatMap((stored) =>
      stored === null
        ? []
        : [{ id: stored.id, accountId: stored.account_id, account: all[at]?.account_name ?? '', stored }],
    ),
  );
  return {
    accounts: accounts.data ? all : undefined,
    rows: accounts.data && lists.isComplete ? rows : undefined,
    error: accounts.error ?? lists.error,
    refetch: () => {
      void accounts.refetch();
      lists.refetch();
    },
  };
}
