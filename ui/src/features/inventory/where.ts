import { inTotals } from '@/api';
import type { VariablesOf } from '@/api';
import { addDays, bounds, sortFromText } from '@/shared';
import type { DayRange } from '@/shared';
import type { ResourceCosts, ResourcePage, ResourceTotals } from './queries';
import type { FieldName, ResourcesSearch } from './search';

type CostWhere = VariablesOf<typeof ResourceCosts>['where'];
type TotalsRequest = VariablesOf<typeof ResourceTotals>['request'];
type PageRequest = VariablesOf<typeof ResourcePage>['request'];

/** Rows that are read at once. */
export const pageSize = 100;

/** Costs of the last 30 days with costs: old bills have no "this month". */
export function recent(days: DayRange): DayRange {
  const from = addDays(days.to, -29);
  return { from: from < days.from ? days.from : from, to: days.to };
}

/** Charges of one resource in these days, without those another row already counts. */
export function costWhere(range: DayRange, resource: string): CostWhere {
  return {
    spend_date: bounds(range),
    ...inTotals,
    resource_id: { _eq: resource },
  } as CostWhere;
}

const fields: Record<FieldName, 'ACCOUNT' | 'SERVICE' | 'TYPE' | 'REGION' | 'STATUS'> = {
  account: 'ACCOUNT',
  service: 'SERVICE',
  type: 'TYPE',
  region: 'REGION',
  status: 'STATUS',
};

/** The resources a search and filters leave, and the days their charges are added up over. */
export function totalsRequest(
  days: DayRange,
  { q, filters = [] }: Pick<ResourcesSearch, 'q' | 'filters'>,
): TotalsRequest {
  const { _gte: from, _lt: until } = bounds(days);
  return {
    from,
    until,
    ...(q === undefined ? {} : { search: q }),
    filters: filters.map(({ field, values, not = false }) => ({ field: fields[field as FieldName], values, not })),
  };
}

const sorts = {
  name: 'NAME',
  account: 'ACCOUNT',
  service: 'SERVICE',
  region: 'REGION',
  status: 'STATUS',
  seen: 'LAST_SEEN',
} as const;

/** Page `number`, from 0, in the order of the sorting in the address. */
export function pageRequest(totals: TotalsRequest, sort: string, number: number): PageRequest {
  const [first = { id: 'name', desc: false }] = sortFromText(sort);
  const place = { limit: pageSize, offset: number * pageSize, descending: first.desc };
  const currency = currencyOf(first.id);
  if (currency !== undefined) return { ...totals, ...place, sort: 'COST', currency };
  return { ...totals, ...place, sort: first.id in sorts ? sorts[first.id as keyof typeof sorts] : 'NAME' };
}

/** The column name of a currency, also in addresses. */
export function costId(currency: string): string {
  return `cost-${currency}`;
}

/** The currency of a column of costs. */
function currencyOf(column: string): string | undefined {
  return column.startsWith('cost-') ? column.slice('cost-'.length) : undefined;
}
