import { nthColor, subtract, sum } from '@/shared';
import type { Numeric, Series } from '@/shared';
import { namesOf } from './dimension';
import type { Group } from './group';
import type { View } from './load';

type Color = Series['color'];

/** The colour of every drawn group. The eight largest have fixed colours; a smaller one that is selected uses the colour of an unselected group. */
export function colorsOf(groups: readonly Group[], only: readonly string[] | undefined): Map<string, Color> {
  const colors = new Map<string, Color>();
  const chosen = only && new Set(only);
  const owners = groups.slice(0, 8);
  const free: Color[] = [];
  owners.forEach((group, rank) => {
    if (!chosen || chosen.has(group.key)) colors.set(group.key, nthColor(rank));
    else free.push(nthColor(rank));
  });
  if (!chosen) return colors;
  for (const group of groups.slice(8)) {
    if (!chosen.has(group.key)) continue;
    const color = free.shift();
    if (color === undefined) break;
    colors.set(group.key, color);
  }
  return colors;
}

type Cells = ReadonlyMap<string, readonly (Numeric | null)[]>;

type Values = readonly (Numeric | null)[];

/** Caches the result of `filled` by values and totals. The chart identifies a line by its values, so the array must stay the same. */
const fills = new WeakMap<Values, { totals: Values; filled: Values }>();

/** A day without this group is 0 where there are other charges; a day without any charge is a gap. */
export function filled(view: View, values: Values): Values {
  const totals = view.now.units;
  const known = fills.get(values);
  if (known?.totals === totals) return known.filled;
  const made = totals.map((total, i) => (total === null ? null : (values[i] ?? 0)));
  fills.set(values, { totals, filled: made });
  return made;
}

/** Stacked bars or lines: the groups with a colour, and Other for the rest of each total. */
export function seriesOf(view: View, cells: Cells, only: readonly string[] | undefined, lines: boolean): Series[] {
  const { groups, now, ask } = view;
  const colors = colorsOf(groups, only);
  // In a line a day without this group is 0; a bar has nothing to draw there.
  const fill = (values: readonly (Numeric | null)[]) =>
    lines ? filled(view, values) : now.units.map((total, i) => (total === null ? null : (values[i] ?? null)));
  const drawn = groups.flatMap((group): Series[] => {
    const color = colors.get(group.key);
    if (color === undefined) return [];
    return [{ id: group.key, label: group.label, color, values: fill(cells.get(group.key) ?? []) }];
  });
  const chosen = only && new Set(only);
  const others = groups.filter((group) => !colors.has(group.key) && (!chosen || chosen.has(group.key)));
  if (others.length === 0 && (chosen || !view.rest)) return drawn;
  const names = namesOf(ask.by);
  const other: Series = {
    id: 'other',
    label:
      view.rest && !chosen
        ? 'Other'
        : `Other (${String(others.length)} ${others.length === 1 ? names.one : names.many})`,
    color: 'other',
    values: now.units.map((total, i) => {
      if (total === null) return null;
      if (chosen) return sum(others.map((group) => cells.get(group.key)?.[i]));
      return subtract(total, sum(drawn.map((series) => series.values[i])));
    }),
  };
  return [...drawn, other];
}

/** Running sums from the first unit on; a gap stays a gap, and the sum continues after it. */
export function running(values: readonly (Numeric | null)[]): (Numeric | null)[] {
  let total: Numeric = 0;
  return values.map((value) => (value === null ? null : (total = sum([total, value]))));
}

/** The sum of the selected groups per unit; of all groups if none is selected. */
export function totalOf(view: View, cells: Cells, only: readonly string[] | undefined): (Numeric | null)[] {
  if (!only) return view.now.units;
  return view.now.units.map((total, i) => (total === null ? null : sum(only.map((key) => cells.get(key)?.[i]))));
}
