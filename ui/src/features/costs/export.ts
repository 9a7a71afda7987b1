import { csv, sortRows, plural, sum } from '@/shared';
import type { Column, Numeric, Series, Sort } from '@/shared';
import { levels, namesOf } from './dimension';
import type { View } from './load';
import { metrics } from './metric';
import { chargeTime } from './node';
import type { Node } from './node';

/** A file and what it holds, said before it is saved. */
export interface Export {
  name: string;
  says: string;
  text: string;
}

/** The rows on screen in their order, those that are open with what they opened into; every digit of every amount. */
export function tableExport(
  view: View,
  top: readonly Node[],
  below: ReadonlyMap<string, readonly Node[]>,
  columns: readonly Column<Node>[],
  sort: Sort,
): Export {
  const lines: { node: Node; trail: Node[] }[] = [];
  const walk = (nodes: readonly Node[], trail: Node[]) => {
    for (const node of sortRows(columns, nodes, sort)) {
      if (node.kind === 'more' || node.kind === 'failed') continue;
      lines.push({ node, trail: [...trail, node] });
      walk(below.get(node.id) ?? [], [...trail, node]);
    }
  };
  walk(top, []);
  const { ask, currency } = view;
  const depth = Math.max(1, ...lines.map(({ trail }) => trail.filter((node) => !node.charge).length));
  const named = levels(ask.by).slice(0, depth);
  const withExact = named.map((_, level) => lines.some(({ trail }) => trail[level]?.exact != null));
  const charges = lines.some(({ node }) => node.charge);
  const amounts = columns.filter((column) => column.id !== 'name' && column.csv !== null);
  const head = [
    ...named.flatMap((dimension, level) => [
      namesOf(dimension).title,
      ...(withExact[level] ? [`${namesOf(dimension).title} ID`] : []),
    ]),
    ...(charges ? ['Charge', 'Charge date', 'File', 'Line'] : []),
    ...amounts.map((column) => headOf(column, view)),
    'Currency',
  ];
  const rows = lines.map(({ node, trail }) => [
    ...named.flatMap((_, level) => {
      const at = trail[level]?.charge ? undefined : trail[level];
      return [at?.label ?? '', ...(withExact[level] ? [at?.exact ?? ''] : [])];
    }),
    ...(charges
      ? node.charge
        ? [node.label, chargeTime(node.charge), node.charge.import_file_name ?? '', node.charge.source_line]
        : ['', '', '', '']
      : []),
    ...amounts.map((column) => column.value(node)),
    currency,
  ]);
  return {
    name: fileName(view, 'table'),
    says: `${plural(rows.length, 'row')}, current filters, ${plural(head.length, 'column')}`,
    text: csv(head, rows),
  };
}

function headOf(column: Column<Node>, { ask }: View): string {
  const cost = metrics[ask.metric].long;
  if (column.id === 'value') return `${cost} ${ask.range.from} to ${ask.range.to}`;
  if (column.id === 'before' && ask.before) return `${cost} ${ask.before.from} to ${ask.before.to}`;
  if (column.id === 'share') return 'Share of total (fraction)';
  return column.id === 'percent' ? 'Change (fraction)' : column.header;
}

/** What the chart draws: a row per bar, a column per series. */
export function chartExport(view: View, series: readonly Series[]): Export {
  const { days, daysBefore, before, ask, currency } = view;
  const head = [
    { day: 'Day', week: 'Week from', month: 'Month from' }[ask.unit],
    ...series.map((one) => one.label),
    'Sum of the series',
    ...(before ? ['Compared with', 'Total then'] : []),
    'Currency',
  ];
  const rows = days.map((day, i) => {
    const values = series.map((one): Numeric | null => one.values[i] ?? null);
    return [
      day,
      ...values,
      values.some((value) => value !== null) ? sum(values) : null,
      ...(before ? [daysBefore[i], before.units[i]] : []),
      currency,
    ];
  });
  return {
    name: fileName(view, 'chart'),
    says: `${plural(rows.length, ask.unit)}, current filters, ${plural(series.length, 'series', 'series')}`,
    text: csv(head, rows),
  };
}

function fileName({ ask, currency }: View, what: string): string {
  const by = ask.by.replaceAll(/[^A-Za-z0-9]+/g, '-');
  return `costs-by-${by}-${what}_${ask.range.from}_${ask.range.to}${currency ? `_${currency}` : ''}.csv`;
}

/** Hands a file to the browser. */
export function save({ name, text }: Export): void {
  const address = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
