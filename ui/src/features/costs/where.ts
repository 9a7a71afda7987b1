import { inTotals } from '@/api';
import type { VariablesOf } from '@/api';
import { bounds } from '@/shared';
import type { DayRange, Filter } from '@/shared';
import { namesOf, tagKey } from './dimension';
import type { Dimension } from './dimension';
import type { Charges, SpendRows } from './queries';

type ListedWhere = NonNullable<VariablesOf<typeof SpendRows>['where']>;
type StoredWhere = NonNullable<VariablesOf<typeof Charges>['where']>;

/** Which charges are meant. */
export interface Meant {
  range: DayRange;
  /** Undefined for all currencies, null for charges without one. */
  currency?: string | null;
  filters: readonly Filter[];
}

/** The two spellings of the same condition: sums and single charges name some columns differently. */
interface Spelling {
  date: string;
  currency: string;
  column: (dimension: Dimension) => string;
  /** The format of a tag for `_contains`. */
  tag: (key: string, value: string) => unknown;
}

const listed: Spelling = {
  date: 'spend_date',
  currency: 'currency_type',
  column: (dimension) => namesOf(dimension).listed,
  tag: (key, value) => ({ [key]: value }),
};

const stored: Spelling = {
  date: 'date',
  currency: 'unit',
  column: (dimension) => namesOf(dimension).stored,
  tag: (key, value) => JSON.stringify({ [key]: value }),
};

type Condition = Record<string, unknown>;

/** For `spend_groupings_v2`. */
export function listedWhere(meant: Meant): ListedWhere {
  return where(listed, meant) as ListedWhere;
}

/** For `spends_v2`. */
export function storedWhere(meant: Meant): StoredWhere {
  return where(stored, meant) as StoredWhere;
}

function where(spelling: Spelling, { range, currency, filters }: Meant): Condition {
  const all = filters.map((filter) => condition(spelling, filter));
  all.push(inTotals);
  if (currency === null) all.push({ [spelling.currency]: { _is_null: true } });
  else if (currency !== undefined) all.push({ [spelling.currency]: { _eq: currency } });
  return { [spelling.date]: bounds(range), _and: all };
}

/** The value '' means charges without a value. In the database, comparisons with null are never true, so that case is explicit. */
function condition(spelling: Spelling, { field, values, not = false }: Filter): Condition {
  const dimension = field as Dimension;
  const key = tagKey(dimension);
  const named = values.filter((value) => value !== '');
  const absent = values.includes('');
  const any: Condition[] = [];
  if (key !== null) {
    // A key with an empty value counts as no key: groups combine both.
    const without = {
      _or: [{ tags: { _is_null: true } }, { _not: { tags: { _has_key: key } } }, tagged(spelling, key, '')],
    };
    if (!not) return { _or: [...named.map((value) => tagged(spelling, key, value)), ...(absent ? [without] : [])] };
    const present = { tags: { _has_key: key } };
    const but = absent ? ['', ...named] : named;
    const none = { _not: { _or: but.map((value) => tagged(spelling, key, value)) } };
    any.push({ _and: [present, none] });
    if (!absent) any.push(without);
    return { _or: any };
  }
  const column = spelling.column(dimension);
  if (not) {
    any.push(named.length > 0 ? { [column]: { _not_in: named } } : { [column]: { _is_null: false } });
    if (!absent) any.push({ [column]: { _is_null: true } });
  } else {
    if (named.length > 0) any.push({ [column]: { _in: named } });
    if (absent) any.push({ [column]: { _is_null: true } });
  }
  return { _or: any };
}

function tagged(spelling: Spelling, key: string, value: string): Condition {
  return { tags: { _contains: spelling.tag(key, value) } };
}
