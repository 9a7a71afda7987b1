import { request } from '@/api';
import type { Dimension } from './dimension';
import { AccountNames, ResourceNames } from './queries';

export interface Name {
  label: string;
  /** The exact identifier, shown beside the name. */
  exact: string | null;
}

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
    for (const account of (await request(AccountNames, variables, signal)).cloud_accounts)
      names.set(account.id, nameOf(account.account_name, account.account_number));
  } else if (by === 'resource') {
    for (const resource of (await request(ResourceNames, variables, signal)).cloud_resourses)
      names.set(resource.id, nameOf(resource.name, resource.external_resource_id));
  }
  return names;
}

/** A friendly name and, when it says more, the identifier. */
export function nameOf(friendly: string | null, exact: string | null): Name {
  const label = friendly ?? exact ?? '';
  return { label, exact: exact !== null && label.includes(exact) ? null : exact };
}
