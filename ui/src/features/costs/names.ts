import { listingRows, request } from '@/api';
import type { Dimension } from './dimension';
import { AccountNames, ResourceNames } from './queries';

export interface Name {
  label: string;
  /** The exact identifier, shown next to the name. */
  exact: string | null;
}

/** Resources are listingRows with an interval, whatever is asked of them. */
const anyDay = '2000-01-01T00:00:00';

/** Names of accounts and resources by their keys; the values of other dimensions are names themselves. */
export async function namesFor(
  by: Dimension,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, Name>> {
  const ids = keys.filter((key) => key !== '');
  const names = new Map<string, Name>();
  if (ids.length === 0) return names;
  const variables = { ids, limit: ids.length };
  if (by === 'account') {
    for (const account of listingRows((await request(AccountNames, variables, signal)).cloud_accounts_v2))
      names.set(account.id ?? '', nameOf(account.account_name, account.account_number));
  } else if (by === 'resource') {
    const { cloud_resources_v2 } = await request(ResourceNames, { ...variables, day: anyDay }, signal);
    for (const resource of cloud_resources_v2) names.set(resource.id, nameOf(resource.name, resource.resourse_id));
  }
  return names;
}

/** A friendly name and, if it adds information, the identifier. */
export function nameOf(friendly: string | null, exact: string | null): Name {
  const label = friendly ?? exact ?? '';
  return { label, exact: exact !== null && label.includes(exact) ? null : exact };
}
