import { host } from '@/host';
import { plural, saveSheet, sortRows, subtract, sum } from '@/shared';
import type { Column, Format, Numeric, Series, Sheet, Sort } from '@/shared';
import { levels, namesOf } from './dimension';
import type { View } from './load';
import { metrics } from './metric';
import { chargeTime } from './node';
import type { Node } from './node';

/** A file with a description of its content, shown before it is saved. */
export interface Export {
  /** Without its ending. */
  name: string;
  says: string;
  sheet: Sheet;
}

/** The visible rows in their order, including expanded ones, with every digit of every amount. */
export function tableExport(
  view: View,
  top: readonly Node[],
  below: ReadonlyMap<string, readonly Node[]>,
  columns: readonly Column<Node>[],
  sort: Sort,
): Export {
  const lines: { node: Node; trail: Node[] }[] = [];
  const walk = (nodes: readonly Node[], trail: Node[]) => {
    for (const found of sortRows(columns, nodes, sort)) {
      if (found.kind === 'failed') continue;
      const node = found.kind === 'more' ? { ...found, value: left(trail.at(-1), nodes) } : found;
      lines.push({ node, trail: [...trail, node] });
      walk(below.get(node.id) ?? [], [...trail, node]);
    }
  };
  walk(top, []);
  const { ask, currency } = view;
  const depth = Math.max(1, ...lines.map(({ trail }) => trail.filter((node) => !isCharge(node)).length));
  const named = levels(ask.by).slice(0, depth);
  const withExact = named.map((_, level) => lines.some(({ trail }) => trail[level]?.exact != null));
  const charges = lines.some(({ node }) => isCharge(node));
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
      const found = trail[level];
      const at = found && isCharge(found) ? undefined : found;
      return [at?.label ?? '', ...(withExact[level] ? [at?.exact ?? ''] : [])];
    }),
    ...(charges
      ? node.charge
        ? [node.label, chargeTime(node.charge), node.charge.import_file_name ?? '', node.charge.source_line]
        : [node.kind === 'more' ? node.label : '', '', '', '']
      : []),
    ...amounts.map((column) => column.value(node)),
    currency,
  ]);
  return {
    name: fileName(view, 'table'),
    says: `${plural(rows.length, 'row')}, current filters, ${plural(head.length, 'column')}`,
    sheet: sheetOf('Costs', head, new Set(amounts.map((column) => headOf(column, view))), rows),
  };
}

const isCharge = ({ charge, kind }: Node) => charge !== undefined || kind === 'more';

/** The sum of charges that are not listed, so that the charges of a row add up to it. */
function left(parent: Node | undefined, charges: readonly Node[]): Numeric | null {
  const listed = charges.filter(({ kind }) => kind === 'charge').map(({ value }) => value);
  return parent?.value == null ? null : subtract(parent.value, sum(listed));
}

function headOf(column: Column<Node>, { ask }: View): string {
  const cost = metrics[ask.metric].long;
  if (column.id === 'value') return `${cost} ${ask.range.from} to ${ask.range.to}`;
  if (column.id === 'before' && ask.before) return `${cost} ${ask.before.from} to ${ask.before.to}`;
  if (column.id === 'share') return 'Share of total (fraction)';
  return column.id === 'percent' ? 'Change (fraction)' : column.header;
}

/** The data of the chart: one row per bar, one column per series. */
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
    sheet: sheetOf(
      'Chart',
      head,
      new Set([...series.map((one) => one.label), 'Sum of the series', 'Total then']),
      rows,
    ),
  };
}

function sheetOf(name: string, head: readonly string[], amounts: ReadonlySet<string>, rows: Sheet['rows']): Sheet {
  return { name, columns: head.map((one) => ({ name: one, isNumber: amounts.has(one) })), rows };
}

function fileName({ ask, currency }: View, what: string): string {
  const by = ask.by.replaceAll(/[^A-Za-z0-9]+/g, '-');
  return `costs-by-${by}-${what}_${ask.range.from}_${ask.range.to}${currency ? `_${currency}` : ''}`;
}

/** Hands a file over. */
export async function save({ name, sheet }: Export, format: Format): Promise<void> {
  await saveSheet(sheet, name, format, (file, content, type) => host.saveFile(file, content, type));
}
