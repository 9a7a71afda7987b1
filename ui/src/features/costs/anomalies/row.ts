import type { Json, ResultOf } from '@/api';
import { compare, compareNames, range, ratio } from '@/shared';
import type { Numeric } from '@/shared';
import type { CostAnomalies } from './queries';
import { metricNames } from './rules/rule';
import type { AnomaliesSearch, FieldName } from './search';

type AnomalyRecord = ResultOf<typeof CostAnomalies>['anomaly'][number];
export type Verdict = 'useful' | 'expected' | 'wrong';

/** One day of an anomaly. */
export interface RunDay {
  date: string;
  actual: Numeric;
  expected: Numeric;
  /** The normal range; null if it is not stored. */
  low: Numeric | null;
  high: Numeric | null;
  /** The comparison of a day after the first; null if it is not stored. */
  compared: Comparison | null;
}

/** All that the verdict of one day rests on. */
export interface Comparison {
  rule: string;
  values: readonly { date: string; value: Numeric; weight: Numeric }[];
  expected: Numeric;
  mad: Numeric;
  floor: Numeric;
  spread: Numeric;
  factor: Numeric;
  min_percent: Numeric;
  min_amount: Numeric;
  low: Numeric | null;
  high: Numeric | null;
  margin: Numeric | null;
  /** If the floor was calculated from other days than the comparison days: the first and last of them, and the result. */
  unrest: { from: string; to: string; amount: Numeric } | null;
  /** For the first day of a month: its comparison with days of the same weekday. */
  ordinary: Comparison | null;
  /** For the first day: the thresholds raised by earlier false alarms. */
  verdicts: HeededVerdicts | null;
}

/** `factor` and `margin` as they are without false alarms. */
export interface HeededVerdicts {
  wrong: number;
  factor: Numeric;
  margin: Numeric | null;
}

/** The basis of an anomaly: the comparison of its first day, and its days. */
export interface Reference extends Comparison {
  run: readonly RunDay[];
  /** Later days of a long anomaly whose comparison is not stored. */
  leftOut: { from: string; to: string } | null;
  /** The additional threshold of a user's rule; null for costs. */
  bar: Bar | null;
  /** For metrics: the series from some days before to some days after. Empty if it is not stored. */
  around: readonly { date: string; value: Numeric }[];
  /** All days from which floors were calculated; `unrest` of a comparison selects its own. */
  unrestDays: readonly { date: string; value: Numeric }[];
}

/** The threshold of a rule: the reference of the previous period, and the bound a value must exceed. */
export interface Bar {
  unit: string;
  period: string;
  operator: string;
  buffer: Numeric;
  value: Numeric;
  bound: Numeric;
}

export type Kind = 'cost' | 'metric' | 'events';

/** An anomaly as the page shows it. */
export interface Row {
  id: string;
  kind: Kind;
  name: string;
  /** The account, or all of them. */
  account: string;
  accountId: string | null;
  isNew: boolean;
  currency: string;
  /** The unit of a metric. */
  unit: string;
  /** Whether its steps are hours. */
  isHourly: boolean;
  /** The virtual tag of the value, if any. */
  tag: { key: string; value: string } | null;
  /** Of costs only: nothing else is added up. */
  impact: Numeric | null;
  from: string;
  to: string;
  days: string;
  isOpen: boolean;
  verdict: Verdict | null;
  reference: Reference;
  /** The day that differs most. */
  worst: RunDay;
  stored: AnomalyRecord;
}

const verdicts: readonly string[] = ['useful', 'expected', 'wrong'] satisfies Verdict[];

/** The row of a stored anomaly; null if its days cannot be parsed. */
export function rowOf(stored: AnomalyRecord, accounts: ReadonlyMap<string, string>, now: Date): Row | null {
  const reference = referenceOf(stored.reference_value);
  const [first] = reference.run;
  if (!first) return null;
  const isTotal = stored.scope === 'total';
  const isOfAll = isTotal || stored.scope === 'tag';
  const object = asObject(stored.reference_value);
  const tag = asObject(object['tag']);
  const isHourly = object['grain'] === 'hour';
  const from = stored.started_on ?? first.date;
  const to = stored.ended_on ?? from;
  return {
    id: stored.id,
    kind: stored.scope === 'metric' || stored.scope === 'events' ? stored.scope : 'cost',
    name: isTotal ? `All services, most of it ${stored.name}` : stored.name,
    account: isOfAll ? 'all accounts' : (accounts.get(stored.account_id) ?? stored.account_id),
    accountId: isOfAll ? null : stored.account_id,
    isNew: stored.anomaly_type.includes('new'),
    currency: stored.currency ?? '',
    unit: textOf(object['unit']),
    isHourly,
    tag: stored.scope === 'tag' ? { key: textOf(tag['key']), value: textOf(tag['value']) } : null,
    impact: stored.impact ?? null,
    from,
    to,
    days: isHourly ? `${range(from, to, now)}, ${hoursOf(reference.run)}` : range(from, to, now),
    isOpen: stored.state !== 'OVER',
    verdict: verdicts.includes(stored.feedback ?? '') ? (stored.feedback as Verdict) : null,
    reference,
    worst: reference.run.reduce((worst, day) => (isFurther(day, worst) ? day : worst), first),
    stored,
  };
}

/** The hours of a run, to the end of its last one: "13:00–16:00 UTC". */
function hoursOf(run: readonly RunDay[]): string {
  const hour = (day: RunDay | undefined) => Number(day?.date.slice(11, 13) ?? 0);
  const text = (of: number) => `${String(of % 24).padStart(2, '0')}:00`;
  return `${text(hour(run[0]))}–${text(hour(run.at(-1)) + 1)} UTC`;
}

/** Whether a day deviates more from its expected value; used for sorting only. */
function isFurther(day: RunDay, other: RunDay): boolean {
  const distance = ({ actual, expected }: RunDay) => Math.abs(Number(actual) - Number(expected));
  return distance(day) > distance(other);
}

function referenceOf(value: Json): Reference {
  const object = asObject(value);
  const leftOut = asObject(object['not_compared']);
  return {
    ...comparisonOf(object),
    run: listOf(object['run']).map((day) => ({
      date: textOf(day['date']),
      actual: numeric(day['actual']) ?? 0,
      expected: numeric(day['expected']) ?? 0,
      low: numeric(day['low']),
      high: numeric(day['high']),
      compared: day['compared'] === undefined ? null : comparisonOf(asObject(day['compared'])),
    })),
    leftOut: leftOut['from'] === undefined ? null : { from: textOf(leftOut['from']), to: textOf(leftOut['to']) },
    bar: barOf(object['reference']),
    around: stepsOf(object['around']),
    unrestDays: stepsOf(object['unrest_days']),
  };
}

function stepsOf(value: Json | undefined): { date: string; value: Numeric }[] {
  return listOf(value).map((one) => ({ date: textOf(one['date']), value: numeric(one['value']) ?? 0 }));
}

function comparisonOf(object: Fields): Comparison {
  const number = (name: string): Numeric => numeric(object[name]) ?? 0;
  return {
    rule: textOf(object['rule']),
    values: listOf(object['values']).map((one) => ({
      date: textOf(one['date']),
      value: numeric(one['value']) ?? 0,
      weight: numeric(one['weight']) ?? 1,
    })),
    expected: number('expected'),
    mad: number('mad'),
    floor: number('floor'),
    spread: number('spread'),
    factor: number('factor'),
    min_percent: number('min_percent'),
    min_amount: number('min_amount'),
    low: numeric(object['low']),
    high: numeric(object['high']),
    margin: numeric(object['margin']),
    unrest: unrestOf(asObject(object['unrest'])),
    ordinary: object['ordinary'] === undefined ? null : comparisonOf(asObject(object['ordinary'])),
    verdicts: verdictsOf(asObject(object['verdicts'])),
  };
}

function unrestOf(object: Fields): Comparison['unrest'] {
  const amount = numeric(object['amount']);
  return amount === null ? null : { from: textOf(object['from']), to: textOf(object['to']), amount };
}

function verdictsOf(object: Fields): HeededVerdicts | null {
  const [wrong, factor] = [numeric(object['wrong']), numeric(object['factor'])];
  return wrong === null || factor === null ? null : { wrong: Number(wrong), factor, margin: numeric(object['margin']) };
}

function barOf(value: Json | undefined): Bar | null {
  const object = asObject(value);
  const [reference, bound] = [numeric(object['value']), numeric(object['bound'])];
  if (reference === null || bound === null) return null;
  return {
    unit: textOf(object['unit']),
    period: textOf(object['period']),
    operator: textOf(object['operator']),
    buffer: numeric(object['buffer_percentage']) ?? 0,
    value: reference,
    bound,
  };
}

type Fields = Readonly<Record<string, Json | undefined>>;

function listOf(value: Json | undefined): Fields[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}

function asObject(value: Json | undefined): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function numeric(value: Json | undefined): Numeric | null {
  return typeof value === 'number' || typeof value === 'string' ? value : null;
}

/** A one-line summary. */
export function titleOf(row: Row): string {
  const { actual, expected } = row.worst;
  const { name } = row;
  if (row.isNew) return `${name} is new`;
  if (row.kind !== 'cost') return measuredTitle(row);
  if (compare(actual, expected) < 0) return `${name} cost less than usual`;
  const times = ratio(actual, expected);
  return times === null ? `${name} cost more than usual` : `${name} rose to ${times.toFixed(1)} times usual`;
}

/** The metric and the direction of its change. */
function measuredTitle(row: Row): string {
  const { actual, expected } = row.worst;
  const what = row.kind === 'events' ? row.name : `${metricOf(row)} of ${row.name}`;
  const times = ratio(actual, expected);
  if (compare(actual, expected) < 0) return `${what}: less than usual`;
  return times === null ? `${what}: more than usual` : `${what}: ${times.toFixed(1)} times usual`;
}

/** The name of the metric. */
export function metricOf({ stored }: Row): string {
  const names: Partial<Record<string, string>> = metricNames;
  return names[stored.anomaly_type] ?? stored.anomaly_type;
}

/** Display names of the verdicts. */
export const verdictNames: Record<Verdict, string> = { useful: 'Real', expected: 'Expected', wrong: 'False alarm' };

/** Those without a verdict first, and of these the ones that go on; then the newest. */
export function sorted(rows: readonly Row[]): Row[] {
  const rank = (row: Row) => (row.verdict !== null ? 2 : row.isOpen ? 0 : 1);
  return [...rows].sort((a, b) => rank(a) - rank(b) || (a.from < b.from ? 1 : a.from > b.from ? -1 : 0));
}

const kindNames: Record<Kind, string> = { cost: 'Costs', metric: 'Metrics', events: 'Events' };

/** The value and label of a row for a filter field. */
function valueOf(row: Row, field: FieldName): { value: string; label: string } {
  if (field === 'account') return { value: row.accountId ?? '', label: row.account };
  if (field === 'kind') return { value: row.kind, label: kindNames[row.kind] };
  return { value: row.stored.name, label: row.stored.name };
}

/** The available values of a filter field. */
export function valuesOf(rows: readonly Row[], field: FieldName): { value: string; label: string }[] {
  const all = new Map(rows.map((row) => [valueOf(row, field).value, valueOf(row, field)]));
  return [...all.values()].sort((a, b) => compareNames(a.label, b.label));
}

/** The rows with a day in the period that match all filters, and whose name or account contains the text. */
export function shown(rows: readonly Row[], { show, q, from, to, filters = [] }: AnomaliesSearch): Row[] {
  const word = (q ?? '').trim().toLowerCase();
  return rows.filter(
    (row) =>
      (show === undefined || row.verdict === null) &&
      filters.every(
        ({ field, values, not }) => values.includes(valueOf(row, field as FieldName).value) !== (not ?? false),
      ) &&
      (from === undefined || row.to >= from) &&
      (to === undefined || row.from <= to) &&
      `${row.name} ${row.account}`.toLowerCase().includes(word),
  );
}
