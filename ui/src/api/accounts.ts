/**
 * The first account of a cloud or a cluster, else the first of all: what a page begins with. Those that alerts and scans came with have no documents and no
 * costs, and their names often come first.
 */
export function ofCloud<Account extends { cloud_provider: string | null }>(
  all: readonly Account[],
): Account | undefined {
  return all.find(({ cloud_provider: provider }) => provider !== 'Other') ?? all[0];
}
