import type { Sheet } from '@/shared';
import type { Export } from './export';
import type { View } from './load';
import { metrics } from './metric';
import type { Content, Table } from './reports/content';

/** Bars that a report draws at most. */
const mostBars = 400;

/** The table and the chart on screen as a report, which the service lays out as a PDF; `named` is the text that rows are filtered by. */
export function reportOf(table: Export, chart: Export, { ask, currency }: View, named = ''): Content {
  const cost = metrics[ask.metric].long;
  const [labels, ...series] = chart.sheet.columns.map(({ name, isNumber }, place) => ({
    name,
    isDrawn: isNumber === true && name !== 'Sum of the series' && name !== 'Total then',
    values: chart.sheet.rows.map((row) => textOf(row[place])),
  }));
  const columns = table.sheet.columns.map(({ name, isNumber }): Table['columns'][number] => ({
    name,
    kind: isNumber !== true ? 'text' : name.endsWith('(fraction)') ? 'share' : 'amount',
  }));
  const rows = table.sheet.rows.map((row) => row.map(textOf));
  const bars = {
    unit: currency ?? '',
    labels: labels?.values ?? [],
    series: series.filter(({ isDrawn }) => isDrawn).map(({ name, values }) => ({ name, values })),
  };
  const filters = ask.filters.map(
    ({ field, values, not }) =>
      `${field} ${not ? 'is none of' : 'is'} ${values.map((one) => one || 'nothing').join(', ')}`,
  );
  const hasChart = bars.labels.length <= mostBars;
  return {
    title: `Costs by ${ask.by}`,
    subtitle: `${cost}, ${ask.range.from} to ${ask.range.to}${currency ? `, ${currency}` : ''}`,
    notes: [
      ...(filters.length > 0 ? [`Filters: ${filters.join('; ')}.`] : []),
      ...(named.trim() === '' ? [] : [`The table has only rows named “${named.trim()}”; the chart has all.`]),
      ...(hasChart ? [] : [`The chart has more than ${String(mostBars)} bars and is left out.`]),
    ],
    sections: [{ chart: hasChart ? bars : null, table: { columns, rows } }],
  };
}

function textOf(cell: Sheet['rows'][number][number]): string {
  return cell === null || cell === undefined ? '' : String(cell);
}
