import { Download, SearchX } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { Button, ColumnChooser, DataTable, Empty, Panel, SearchBox, money, sortToText, sum } from '@/shared';
import type { Column, Sort } from '@/shared';
import { below as belowText, metricLine } from './columns';
import { levels, namesOf } from './dimension';
import type { Change } from './Explorer';
import { exportTable } from './exports';
import type { View } from './load';
import { pathId } from './node';
import type { Node } from './node';
import type { ExplorerSearch } from './search';

const nothing: string[][] = [];

/** The groups with their sums; a row opens into the next dimension and at last into single charges with file and line. */
export function CostTable({
  view,
  rows,
  below,
  columns,
  choosable,
  usual,
  isNarrow,
  sort,
  search,
  several,
  change,
}: {
  view: View;
  rows: readonly Node[];
  below: ReadonlyMap<string, Node[]>;
  columns: readonly Column<Node>[];
  choosable: readonly Column<Node>[];
  usual: readonly string[];
  isNarrow: boolean;
  sort: Sort;
  search: ExplorerSearch;
  several: boolean;
  change: Change;
}) {
  const { ask, currency } = view;
  const { only, open = nothing } = search;
  const depth = levels(ask.by).length;
  const selected = useMemo(() => new Set((only ?? []).map((key) => pathId([key]))), [only]);
  const expanded = useMemo(() => new Set(open.map(pathId)), [open]);
  const childrenOf = useCallback((node: Node) => below.get(node.id), [below]);
  const fold = (ids: ReadonlySet<string>) => {
    change({ open: [...ids].map((id) => JSON.parse(id) as string[]) });
  };
  const canExpand = (node: Node) => node.kind === 'group' && node.path.length <= depth;
  const { title, many } = namesOf(ask.by);
  return (
    <Panel
      className="tablepanel"
      title={`By ${title.charAt(0).toLowerCase()}${title.slice(1)}`}
      meta={`${belowText(view)} · ${metricLine(view)}`}
      actions={
        <>
          <SearchBox
            label="Filter rows"
            value={search.rows ?? ''}
            onChange={(text) => {
              change({ rows: text === '' ? undefined : text }, true);
            }}
          />
          <ColumnChooser
            columns={choosable}
            usual={usual}
            value={search.columns}
            onChange={(chosen) => {
              change({ columns: chosen }, true);
            }}
          />
          <Button
            size="small"
            title="Export the table, E"
            onClick={() => {
              exportTable();
            }}
          >
            <Download className="i s" />
            CSV
          </Button>
        </>
      }
    >
      <DataTable
        label={`Costs by ${namesOf(ask.by).one}`}
        columns={columns}
        rows={rows}
        rowId={(node) => node.id}
        rowHeight={isNarrow ? 46 : 30}
        primary
        fill
        empty={
          <Empty
            icon={SearchX}
            title={`No ${many} named “${search.rows ?? ''}”`}
            action={
              <Button
                size="small"
                onClick={() => {
                  change({ rows: undefined }, true);
                }}
              >
                Show all {many}
              </Button>
            }
          >
            Your filters are kept.
          </Empty>
        }
        sort={sort}
        onSort={(next) => {
          const text = sortToText(next);
          change({ sort: text === '-value' ? undefined : text }, true);
        }}
        selected={selected}
        canSelect={(node) => node.kind === 'group'}
        onSelect={(ids) => {
          change({ only: [...ids].map((id) => (JSON.parse(id) as string[])[0] ?? '') });
        }}
        bulk={(chosen) => (
          <>
            <span className="num">{money(sum(chosen.map((node) => node.value)), currency, { several })}</span>
            <span className="muted">The chart shows only the selected rows.</span>
            <span className="end">
              <Button
                size="small"
                onClick={() => {
                  change({ only: undefined });
                }}
              >
                Clear selection
              </Button>
            </span>
          </>
        )}
        childrenOf={childrenOf}
        canExpand={canExpand}
        expanded={expanded}
        onExpand={fold}
        openId={search.charge ?? null}
        onOpen={(node) => {
          if (node.charge) change({ charge: node.charge.id });
          else if (canExpand(node)) {
            const ids = new Set(expanded);
            if (!ids.delete(node.id)) ids.add(node.id);
            fold(ids);
          }
        }}
      />
    </Panel>
  );
}
