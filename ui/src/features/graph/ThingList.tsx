import { useMemo } from 'react';
import { DataTable, Empty, count } from '@/shared';
import type { Column } from '@/shared';
import { Waypoints } from 'lucide-react';
import { Mark } from './Mark';
import type { Graph, Thing } from './thing';
import { kindName, sourceName } from './words';

/** The columns that fit; the list has the same nodes as the graph. */
export function columnsOf(
  graph: Graph,
  accounts: ReadonlyMap<string, string>,
  room: 'wide' | 'beside' | 'narrow',
): Column<Thing>[] {
  const many = new Map<string, number>();
  for (const { from, to } of graph.relations) for (const end of [from, to]) many.set(end, (many.get(end) ?? 0) + 1);
  const columns: Column<Thing>[] = [
    {
      id: 'name',
      header: 'Node',
      value: ({ name }) => name,
      cell: (thing) => (
        <span className="row">
          <Mark kind={thing.kind} />
          <span className="cut">{thing.name}</span>
        </span>
      ),
    },
    { id: 'kind', header: 'Type', width: 150, value: ({ kind }) => kindName(kind) },
    { id: 'namespace', header: 'Namespace', width: 150, value: ({ namespace }) => namespace },
    { id: 'account', header: 'Account', width: 170, value: ({ account }) => accounts.get(account) ?? account },
    {
      id: 'relations',
      header: 'Relations',
      kind: 'number',
      width: 100,
      value: ({ id }) => many.get(id) ?? 0,
      cell: ({ id }) => count(many.get(id) ?? 0),
    },
    { id: 'source', header: 'Known from', width: 210, value: ({ source }) => sourceName(source) },
  ];
  if (room === 'wide') return columns;
  // The side panel shows the other columns.
  return columns.filter(({ id }) => id === 'name' || id === 'kind' || (id === 'relations' && room === 'beside'));
}

/** Things as rows. */
export function ThingList({
  graph,
  accounts,
  narrow,
  open,
  onOpen,
}: {
  graph: Graph;
  accounts: ReadonlyMap<string, string>;
  narrow: boolean;
  open: string | undefined;
  onOpen: (id: string) => void;
}) {
  const room = narrow ? 'narrow' : open === undefined ? 'wide' : 'beside';
  const columns = useMemo(() => columnsOf(graph, accounts, room), [graph, accounts, room]);
  return (
    <DataTable
      label="Nodes"
      columns={columns}
      rows={graph.things}
      rowId={({ id }) => id}
      primary
      fill
      openId={open ?? null}
      onOpen={({ id }) => {
        onOpen(id);
      }}
      empty={<Empty icon={Waypoints} title="No nodes shown" />}
    />
  );
}
