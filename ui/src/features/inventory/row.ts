import type { ResultOf } from '@/api';
import type { Numeric } from '@/shared';
import type { ResourcePage } from './queries';

export type ResourceRecord = NonNullable<ResultOf<typeof ResourcePage>['cloud_resources_page']>['rows'][number];

/** Amounts by currency; currencies without charges have no entry. */
export type Costs = ReadonlyMap<string, Numeric>;

/** A resource as the list shows it. */
export interface Row {
  id: string;
  stored: ResourceRecord;
  name: string;
  costs: Costs;
}

/** Amounts in the format of the service. */
type Amounts = readonly { currency: string | null; amount: Numeric }[];

/** Charges without a currency are under ''. */
export function costsOf(amounts: Amounts): Costs {
  return new Map(amounts.map(({ currency, amount }) => [currency ?? '', amount]));
}

export function rowOf(stored: ResourceRecord): Row {
  return { id: stored.id, stored, name: nameOf(stored), costs: costsOf(stored.billed) };
}

/**
 * What people call a resource. Where nobody gave it a name, the part of its identifier that tells it from others: the rest says
 * account and region, which stand beside it.
 */
export function nameOf({
  name,
  external_resource_id: id,
}: {
  name: string | null;
  external_resource_id: string | null;
}): string {
  if (name !== null && name !== '' && name !== id) return name;
  const all = id ?? '';
  // A report of an image without a name.
  if (all === '') return 'Unnamed';
  // arn:partition:service:region:account:resource, and paths of Azure and Google Cloud.
  if (all.startsWith('arn:')) return all.split(':').slice(5).join(':') || all;
  return all.startsWith('/') || all.startsWith('//') ? (all.split('/').filter(Boolean).at(-1) ?? all) : all;
}
