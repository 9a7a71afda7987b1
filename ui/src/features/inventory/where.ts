import type { VariablesOf } from '@/api';
import { addDays, bounds } from '@/shared';
import type { DayRange, Filter } from '@/shared';
import type { ResourceCosts, Resources } from './queries';
import type { FieldName, ResourcesSearch } from './search';

type Where = VariablesOf<typeof Resources>['where'];
type CostWhere = VariablesOf<typeof ResourceCosts>['where'];

/** Costs are told of the last 30 days that have any: old bills have no "this month". */
export function recent(days: DayRange): DayRange {
  const from = addDays(days.to, -29);
  return { from: from < days.from ? days.from : from, to: days.to };
}

/** Charges of these days, without those another row already counts; of one resource or of all. */
export function costWhere(range: DayRange, resource?: string): CostWhere {
  return {
    spend_date: bounds(range),
    _or: [{ exclude_aggregate: { _is_null: true } }, { exclude_aggregate: { _eq: false } }],
    ...(resource === undefined ? {} : { resource_id: { _eq: resource } }),
  } as CostWhere;
}

const columns: Record<FieldName, string> = {
  account: 'account',
  service: 'service_name',
  type: 'type',
  region: 'region',
  status: 'status',
};

type Condition = Record<string, unknown>;

/** The resources a search and filters leave; every word must be found somewhere in what a resource is called. */
export function resourcesWhere({ q = '', filters = [] }: Pick<ResourcesSearch, 'q' | 'filters'>): Where {
  const words = q.split(/\s+/).filter(Boolean);
  return { _and: [...filters.map(condition), ...words.map(mentions)] } as Where;
}

function mentions(word: string): Condition {
  // In a pattern % and _ stand for anything.
  const pattern = { _ilike: `%${word.replace(/[\\%_]/g, '\\$&')}%` };
  const searched = ['name', 'external_resource_id', 'type', 'service_name', 'region'];
  return { _or: searched.map((column) => ({ [column]: pattern })) };
}

/** The value '' stands for resources that have none. */
function condition({ field, values, not = false }: Filter): Condition {
  const column = columns[field as FieldName];
  const named = values.filter((value) => value !== '');
  const any = {
    _or: [{ [column]: { _in: named } }, ...(values.includes('') ? [{ [column]: { _is_null: true } }] : [])],
  };
  // Of nothing a comparison knows neither yes nor no, so who excludes values keeps what has none by saying so.
  if (!not) return any;
  const others = { [column]: { _nin: named } };
  return values.includes('')
    ? { _and: [others, { [column]: { _is_null: false } }] }
    : { _or: [others, { [column]: { _is_null: true } }] };
}
