import { isFiring } from '@/api';
import type { VariablesOf } from '@/api';
import { sortFromText } from '@/shared';
import type { Filter } from '@/shared';
import type { EventPage } from './queries';
import type { EventsSearch, FieldName, Period, View } from './search';

export type Where = VariablesOf<typeof EventPage>['where'];
type Order = VariablesOf<typeof EventPage>['order'];

const columns: Record<FieldName, string> = {
  severity: 'priority',
  priority: 'computed_priority',
  source: 'source',
  account: 'cloud_account_id',
  triage: 'nb_status',
  owner: 'nb_status_changed_by',
  cluster: 'cluster',
  namespace: 'subject_namespace',
  workload: 'subject_owner',
  subject: 'subject_type',
  kind: 'aggregation_key',
};

/** The columns a search looks into. */
const searched = [
  'title',
  'description',
  'subject_name',
  'subject_namespace',
  'subject_owner',
  'cluster',
  'aggregation_key',
] as const;

const ofViews: Record<View, object> = {
  firing: isFiring,
  resolved: { status: { _eq: 'RESOLVED' } },
  closed: { status: { _eq: 'CLOSED' } },
};

const days: Record<Period, number> = { day: 1, week: 7, month: 30 };
/** Relative times of a list advance in steps of this many ms, because a new time every minute would be a new list. */
const step = 10 * 60_000;

/** The first moment of a period that ends now. */
export function since(period: Period, now: Date): string {
  const start = now.getTime() - (now.getTime() % step) - days[period] * 86_400_000;
  return new Date(start).toISOString().slice(0, 19);
}

/** Escapes % and _ in a search. */
function literal(word: string): string {
  return word.replace(/[\\%_]/g, (one) => `\\${one}`);
}

/** The filter value for events without an owner. */
export const nobody = 'nobody';

const isOpen = { _or: [{ nb_status: { _eq: 'OPEN' } }, { nb_status: { _is_null: true } }] };
const isUnowned = { _or: [isOpen, { nb_status_changed_by: { _is_null: true } }] };

/** The owner is the user who last changed the triage status; reopened events have none. */
function ownedBy(values: readonly string[]): object {
  const people = values.filter((one) => one !== nobody);
  const some = { _and: [{ nb_status_changed_by: { _in: people } }, { nb_status: { _neq: 'OPEN' } }] };
  return { _or: [...(people.length > 0 ? [some] : []), ...(values.includes(nobody) ? [isUnowned] : [])] };
}

/** Firing events without an owner. */
export const firingUnowned: Where = { _and: [isFiring, isUnowned] };

function filter({ field, values, not }: Filter): object {
  if (field === 'owner') return not ? { _not: ownedBy(values) } : ownedBy(values);
  return { [columns[field as FieldName]]: not ? { _nin: values } : { _in: values } };
}

/** The events that a search, filters and a period leave, in every view. */
export function whereOf(
  { q = '', filters = [], since: period }: Pick<EventsSearch, 'q' | 'filters' | 'since'>,
  now: Date,
): Where {
  const words = q.split(/\s+/).filter(Boolean);
  return {
    _and: [
      ...filters.map(filter),
      ...words.map((word) => ({
        _or: searched.map((column) => ({ [column]: { _ilike: `%${literal(word)}%` } })),
      })),
      ...(period ? [{ starts_at: { _gte: since(period, now) } }] : []),
    ],
  };
}

/** The events of one view. Firing events hidden by triage are only included in "All". */
export function inView(where: Where, view: View | undefined): Where {
  return view ? { _and: [where, ofViews[view]] } : where;
}

const sorts: Record<string, string> = {
  title: 'title',
  priority: 'computed_score',
  source: 'source',
  started: 'starts_at',
  state: 'status',
  triage: 'nb_status',
};

export const usualSort = '-started';

/** The order for the sorting in the address; ties are ordered by title and then stably, so that pages do not overlap. */
export function orderOf(sort: string | undefined): Order {
  const [first = { id: 'started', desc: true }] = sortFromText(sort ?? usualSort);
  const direction = first.desc ? 'desc_nulls_last' : 'asc_nulls_last';
  return [{ [sorts[first.id] ?? 'starts_at']: direction }, { title: 'asc' }, { id: 'asc' }] as Order;
}
