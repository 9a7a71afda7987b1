import { useEffect, useMemo } from 'react';
import { sortFromText, useNarrow, useToday } from '@/shared';
import { CostChart } from './CostChart';
import { CostTable } from './CostTable';
import { allColumns, usualColumns } from './columns';
import type { Change } from './Explorer';
import { chartExport, tableExport } from './export';
import { exports } from './exports';
import type { View } from './load';
import type { ExplorerSearch } from './search';
import { colorsOf, seriesOf } from './series';
import { matching, totalsOf } from './totals';
import { useCells, useNodes } from './useView';

const none: string[][] = [];

/** Chart and table of one view; both read the same sums. */
export function Answer({
  view,
  search,
  change,
  isStale,
}: {
  view: View;
  search: ExplorerSearch;
  change: Change;
  /** A newer question is being answered. */
  isStale: boolean;
}) {
  const { only, chart, sort: sortText, columns: chosen, rows: text = '', open = none } = search;
  const now = useToday();
  const isNarrow = useNarrow();
  const usual = usualColumns(isNarrow);
  const ids = chosen ?? usual;
  const several = view.currencies.length > 1;
  const cells = useCells(view, only);
  const { top, below } = useNodes(view, open);
  const rows = useMemo(() => matching(top, text), [top, text]);
  const series = useMemo(() => seriesOf(view, cells, only, chart === 'lines'), [view, cells, only, chart]);
  const { name, others } = useMemo(
    () =>
      allColumns({
        view,
        cells,
        colors: colorsOf(view.groups, only),
        several,
        isNarrow,
        shown: ids,
        now,
        total: totalsOf(view, rows, top.length),
      }),
    [view, cells, only, several, isNarrow, ids, now, rows, top],
  );
  const columns = useMemo(() => {
    const shown = ids.map((id) => others.find((column) => column.id === id));
    return [name, ...shown.filter((column) => column !== undefined)];
  }, [name, others, ids]);
  const sort = useMemo(() => sortFromText(sortText ?? '-value'), [sortText]);

  useEffect(() => {
    exports.set({
      table: () => tableExport(view, rows, below, columns, sort),
      chart: () => chartExport(view, series),
      report: () =>
        import('./report').then(({ reportOf }) =>
          reportOf(tableExport(view, rows, below, columns, sort), chartExport(view, series), view, text),
        ),
    });
  }, [view, rows, below, columns, sort, series, text]);
  useEffect(
    () => () => {
      exports.set(null);
    },
    [],
  );

  return (
    <div className={isStale ? 'explorer stale' : 'explorer'} aria-busy={isStale}>
      <CostChart view={view} cells={cells} series={series} search={search} several={several} change={change} />
      <CostTable
        view={view}
        rows={rows}
        below={below}
        columns={columns}
        choosable={others}
        usual={usual}
        isNarrow={isNarrow}
        sort={sort}
        search={search}
        several={several}
        change={change}
      />
    </div>
  );
}
