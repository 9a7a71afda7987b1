import { listingRows, request } from '@/api';
import type { ResultOf } from '@/api';
import { sum, units } from '@/shared';
import type { DayRange, Filter, Numeric, Unit } from '@/shared';
import { namesOf, tagKey } from './dimension';
import type { Dimension } from './dimension';
import { grouped, groupLimit, joined, named, restOf } from './group';
import type { Group } from './group';
import { metrics } from './metric';
import type { Metric } from './metric';
import { namesFor } from './names';
import { along } from './period';
import { Charges, SpendRows } from './queries';
import { listedWhere, storedWhere } from './where';

/** Single charges shown under a row. */
export const chargeLimit = 200;
/** Maximum number of sums by unit and group in one view. */
const cellLimit = 20_000;

/** The query of the page. */
export interface Ask {
  range: DayRange;
  before: DayRange | null;
  unit: Unit;
  by: Dimension;
  metric: Metric;
  /** Undefined: the currency most charges are in. */
  currency: string | undefined;
  filters: readonly Filter[];
}

export interface Amounts {
  /** One value per unit of the range; null where there are no charges. */
  units: (Numeric | null)[];
  /** Null if the range has no charges. */
  total: Numeric | null;
}

/** The data of chart and table, with its query, so that old rows are never shown with new names. */
export interface View {
  ask: Ask;
  currency: string | null;
  /** Every currency of these charges, the one with most charges first. */
  currencies: (string | null)[];
  /** The first day of each bar. */
  days: string[];
  daysBefore: string[];
  now: Amounts;
  before: Amounts | null;
  /** Largest first. */
  groups: Group[];
  /** The sum of the groups beyond the limit; null if all are loaded. */
  rest: Group | null;
  /** Sums along the units, of the largest groups. */
  cells: ReadonlyMap<string, (Numeric | null)[]>;
}

export type SpendRow = NonNullable<
  NonNullable<NonNullable<ResultOf<typeof SpendRows>['spend_groupings_v2']>['rows']>[number]
>;

type ChargeRow = NonNullable<NonNullable<NonNullable<ResultOf<typeof Charges>['spends_v2']>['rows']>[number]>;

export type Charge = ChargeRow & { id: string; date: string };

interface Listing {
  columns: string[];
  where: ReturnType<typeof listedWhere>;
  by?: Dimension;
  unit?: Unit;
  /** Split by currency, which is not a dimension of the page. */
  currencies?: true;
  /** The column to sort by, descending. */
  largest?: string;
  limit: number;
}

async function list(
  { columns, where, by, unit, currencies, largest, limit }: Listing,
  signal: AbortSignal | undefined,
): Promise<SpendRow[]> {
  const groupBy = [
    ...(by ? [namesOf(by).listed] : []),
    ...(unit ? ['spend_date'] : []),
    ...(currencies ? ['currency_type'] : []),
  ];
  const key = by && tagKey(by);
  const answer = await request(
    SpendRows,
    {
      columns: [...groupBy, ...columns],
      transformations: [
        ...(unit ? [{ name: 'spend_date', expr: 'date_unit', args: [unit] }] : []),
        ...(key != null ? [{ name: 'tag', expr: 'json_key', args: [key] }] : []),
      ],
      groupBy,
      where,
      orderBy: largest ? [{ column: largest, order: 'desc_nulls_last' }] : [],
      limit,
    },
    signal,
  );
  return listingRows(answer.spend_groupings_v2);
}

/** Every currency of the charges, the one with most charges first; null for charges without one. */
export async function loadCurrencies(
  { range, filters }: Pick<Ask, 'range' | 'filters'>,
  signal?: AbortSignal,
): Promise<(string | null)[]> {
  const found = await list(
    {
      columns: ['spend_count'],
      where: listedWhere({ range, filters }),
      currencies: true,
      largest: 'spend_count',
      limit: groupLimit,
    },
    signal,
  );
  return found.map((row) => row.currency_type);
}

/** Reads currencies first: amounts of different currencies are never in one question. */
export async function loadView(ask: Ask, signal?: AbortSignal): Promise<View> {
  const { range, before, unit, by, filters } = ask;
  const column = metrics[ask.metric].listed;
  const currencies = await loadCurrencies(ask, signal);
  const currency = ask.currency ?? currencies[0] ?? null;
  const totals = { columns: [column], unit, limit: cellLimit };
  const [groups, unitRows, unitRowsBefore] = await Promise.all([
    loadGroups(ask, currency, by, [], signal),
    list({ ...totals, where: listedWhere({ range, currency, filters }) }, signal),
    before ? list({ ...totals, where: listedWhere({ range: before, currency, filters }) }, signal) : [],
  ]);
  const days = units(unit, range);
  const drawn = groups.slice(0, Math.min(60, Math.max(8, Math.floor(cellLimit / Math.max(1, days.length)))));
  const now = amounts(unitRows, range, unit, column);
  const earlier = before && amounts(unitRowsBefore, before, unit, column);
  return {
    ask,
    currency,
    currencies,
    days,
    daysBefore: before ? units(unit, before) : [],
    now,
    before: earlier,
    groups,
    rest: restOf(groups, now.total, earlier?.total ?? null),
    cells: await loadCells(
      ask,
      currency,
      drawn.map((group) => group.key),
      signal,
    ),
  };
}

function amounts(rows: readonly SpendRow[], range: DayRange, unit: Unit, column: keyof SpendRow): Amounts {
  const values = along(
    range,
    unit,
    rows.map((row) => [row.spend_date ?? '', row[column] as Numeric | null] as const),
  );
  return { units: values, total: values.some((value) => value !== null) ? sum(values) : null };
}

/** The sums of some groups along the units. */
export async function loadCells(
  { range, unit, by, metric, filters }: Ask,
  currency: string | null,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, (Numeric | null)[]>> {
  const cells = new Map<string, (Numeric | null)[]>();
  if (keys.length === 0) return cells;
  const column = metrics[metric].listed;
  const where = listedWhere({ range, currency, filters: [...filters, { field: by, values: [...keys] }] });
  const rows = await list({ columns: [column], where, by, unit, limit: 2 * cellLimit }, signal);
  const ofGroup = new Map<string, [string, Numeric | null][]>(keys.map((key) => [key, []]));
  for (const row of rows) ofGroup.get(row[namesOf(by).listed] ?? '')?.push([row.spend_date ?? '', row[column]]);
  for (const [key, mine] of ofGroup) cells.set(key, along(range, unit, mine));
  return cells;
}

/** The largest groups of the charges that also match `within`, with their names and the previous period. */
export async function loadGroups(
  ask: Pick<Ask, 'range' | 'before' | 'metric' | 'filters'>,
  currency: string | null,
  by: Dimension,
  within: readonly Filter[],
  signal?: AbortSignal,
): Promise<Group[]> {
  const column = metrics[ask.metric].listed;
  const filters = [...ask.filters, ...within];
  // One more than shown: null and the empty string are returned as two rows but are one group.
  const listing = { columns: [column, 'spend_count'], by, largest: column, limit: groupLimit + 1 };
  const of = (range: DayRange, more: Filter[] = []) =>
    list({ ...listing, where: listedWhere({ range, currency, filters: [...filters, ...more] }) }, signal);
  const [rows, largestBefore] = await Promise.all([of(ask.range), ask.before ? of(ask.before) : null]);
  const now = grouped(rows, by, column).slice(0, groupLimit);
  // The largest groups of the previous period may differ from those of this one; missing ones are requested by name.
  const rowsBefore =
    ask.before && largestBefore && largestBefore.length > groupLimit
      ? await of(ask.before, [{ field: by, values: now.map((group) => group.key) }])
      : largestBefore;
  const groups = joined(now, rowsBefore && grouped(rowsBefore, by, column));
  const names = await namesFor(
    by,
    groups.map((group) => group.key),
    signal,
  );
  return named(groups, by, names);
}

/** The single charges under a row, largest first. */
export async function loadCharges(
  ask: Ask,
  currency: string | null,
  within: readonly Filter[],
  signal?: AbortSignal,
): Promise<Charge[]> {
  const where = storedWhere({ range: ask.range, currency, filters: [...ask.filters, ...within] });
  const orderBy = [
    { column: metrics[ask.metric].stored, order: 'desc_nulls_last' as const },
    { column: 'source_line', order: 'asc' as const },
  ];
  const answer = await request(Charges, { where, orderBy, limit: chargeLimit }, signal);
  return (answer.spends_v2?.rows ?? []).filter(isCharge);
}

/** Every charge has a key and a day; the generated types do not state it. */
function isCharge(row: ChargeRow | null): row is Charge {
  return row !== null && row.id !== null && row.date !== null;
}
