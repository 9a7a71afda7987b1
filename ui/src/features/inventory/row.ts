import { listed } from '@/api';
import type { ResultOf } from '@/api';
import { sum } from '@/shared';
import type { Numeric } from '@/shared';
import type { ResourceCosts, Resources } from './queries';

export type Stored = ResultOf<typeof Resources>['cloud_resourses'][number];

/** Amounts by currency; what no charge says has no entry. */
export type Costs = ReadonlyMap<string, Numeric>;

/** A resource as the list shows it. */
export interface Row {
  id: string;
  stored: Stored;
  name: string;
  costs: Costs;
}

const none: Costs = new Map();

/** What was billed in the days that are told of. */
export interface Billed {
  /** By resource; '' for charges that name none. */
  of: ReadonlyMap<string, Costs>;
  /** The one with most charges first. */
  currencies: string[];
  /** False where there are more amounts than were read: then some resources lack theirs. */
  isWhole: boolean;
}

/** `most` is how many amounts were asked for. */
export function billedOf(listing: ResultOf<typeof ResourceCosts>['spend_groupings_v2'], most = Infinity): Billed {
  const of = new Map<string, Map<string, Numeric>>();
  const charges = new Map<string, number>();
  const rows = listed(listing);
  for (const row of rows) {
    const [resource, currency] = [row.resource_id ?? '', row.currency_type ?? ''];
    charges.set(currency, (charges.get(currency) ?? 0) + Number(row.spend_count ?? 0));
    if (row.billed_cost === null) continue;
    const costs = of.get(resource) ?? new Map<string, Numeric>();
    of.set(resource, costs.set(currency, row.billed_cost));
  }
  const currencies = [...charges].sort(([, a], [, b]) => b - a).map(([currency]) => currency);
  return { of, currencies, isWhole: rows.length < most };
}

export function rowOf(stored: Stored, billed: Billed | undefined): Row {
  return { id: stored.id, stored, name: nameOf(stored), costs: billed?.of.get(stored.id) ?? none };
}

/** Amounts added up, each currency by itself. */
export function added(all: Iterable<Costs>): Costs {
  const found = new Map<string, Numeric[]>();
  for (const costs of all) {
    for (const [currency, amount] of costs) {
      const amounts = found.get(currency);
      if (amounts) amounts.push(amount);
      else found.set(currency, [amount]);
    }
  }
  return new Map([...found].map(([currency, amounts]) => [currency, sum(amounts)]));
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
  // arn:partition:service:region:account:resource, and paths of Azure and Google Cloud.
  if (all.startsWith('arn:')) return all.split(':').slice(5).join(':') || all;
  return all.startsWith('/') || all.startsWith('//') ? (all.split('/').filter(Boolean).at(-1) ?? all) : all;
}
