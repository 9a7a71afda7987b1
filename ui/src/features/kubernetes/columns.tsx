import { Status, age, count, dateTimeZone, dayWidth } from '@/shared';
import type { Column } from '@/shared';
import { amounts, costOf } from './costs';
import type { Costs } from './costs';
import { cores, memory, nodeState, ownerOf, podTone, restartsOf } from './row';
import type { Row } from './row';
import type { TabName } from './search';
import { Use } from './Use';

/** Average usage of workloads: cores and MiB, by "namespace/name". */
export type Usage = ReadonlyMap<string, { cpu: number | null; memory: number | null }>;

type Room = 'wide' | 'beside' | 'narrow';

/** What a row of a tab is of: the tables of other tabs have other columns. */
const of = <Tab extends TabName>(row: Row) => row.of as unknown as Extract<Row, { tab: Tab }>['of'];

function named(header: string, below: (row: Row) => string): Column<Row> {
  return {
    id: 'name',
    header,
    value: (row) => row.name,
    cell: (row) => (
      <>
        <div className="cut t" title={row.name}>
          {row.name}
        </div>
        <div className="cut small muted">{below(row)}</div>
      </>
    ),
  };
}

function old(at: (row: Row) => string | null, now: Date): Column<Row> {
  return {
    id: 'age',
    header: 'Created',
    kind: 'number',
    width: 112,
    least: dayWidth,
    value: at,
    cell: (row) => {
      const time = at(row);
      return time === null ? '–' : <span title={dateTimeZone(time, now)}>{age(time, now)}</span>;
    },
  };
}

function number(id: string, header: string, width: number, value: (row: Row) => number | null): Column<Row> {
  return { id, header, kind: 'number', width, value, cell: (row) => count(value(row)) };
}

/** The columns of a tab that fit; cost columns if costs are known. */
export function columnsFor(
  tab: TabName,
  room: Room,
  usage: Usage,
  now: Date,
  costs: Costs | null = null,
  isOrderable = false,
): Column<Row>[] {
  const columns = factsFor(tab, room, usage, now);
  const isKnown = costs !== null && (tab === 'namespaces' ? costs.namespaces : costs.resources).size > 0;
  if (!isKnown || room !== 'wide') return columns;
  // The owner column is dropped; the side panel shows it.
  return [...columns.filter(({ id }) => id !== 'owner'), billed(costs, isOrderable)];
}

/** The cost column; days and prices are stated above the table. */
function billed(costs: Costs, isOrderable: boolean): Column<Row> {
  return {
    id: 'cost',
    header: 'Cost',
    kind: 'number',
    sortable: isOrderable,
    width: 112,
    least: 92,
    value: (row) => {
      const sums = [...(costOf(costs, row) ?? [])];
      return sums.length === 1 ? sums[0]?.[1] : null;
    },
    cell: (row) => amounts(costOf(costs, row)),
  };
}

function factsFor(tab: TabName, room: Room, usage: Usage, now: Date): Column<Row>[] {
  switch (tab) {
    case 'namespaces':
      return [
        { ...named('Namespace', () => ''), cell: (row) => <span className="cut t">{row.name}</span> },
        number('workloads', 'Workloads', 96, (row) => of<'namespaces'>(row).workload_count),
        number('pods', 'Pods', 80, (row) => of<'namespaces'>(row).pod_count),
        ...(room === 'narrow' ? [] : [old((row) => of<'namespaces'>(row).creation_time, now)]),
      ];
    case 'workloads':
      return workloads(room, usage, now);
    case 'pods':
      return pods(room, now);
    case 'nodes':
      return nodes(room, now);
  }
}

function workloads(room: Room, usage: Usage, now: Date): Column<Row>[] {
  const name = named('Workload', (row) => {
    const { namespace, kind } = of<'workloads'>(row);
    return `${namespace}, ${kind}`;
  });
  const ready: Column<Row> = {
    id: 'ready',
    header: 'Pods ready',
    width: 108,
    value: (row) => of<'workloads'>(row).ready_pods,
    cell: (row) => {
      const { ready_pods: ready, total_pods: all } = of<'workloads'>(row);
      const text = `${String(ready)} of ${String(all)}`;
      return ready < all ? <Status tone="bad">{text}</Status> : text;
    },
  };
  const used = (row: Row) => {
    const { namespace, name } = of<'workloads'>(row);
    return usage.get(`${namespace}/${name}`);
  };
  const cpu: Column<Row> = {
    id: 'cpu',
    header: 'CPU request',
    width: 176,
    least: 126,
    value: (row) => of<'workloads'>(row).cpu_request,
    cell: (row) => (
      <Use
        used={used(row)?.cpu ?? null}
        request={of<'workloads'>(row).cpu_request}
        limit={of<'workloads'>(row).cpu_limit}
        format={cores}
      />
    ),
  };
  const ram: Column<Row> = {
    id: 'memory',
    header: 'Memory request',
    width: 176,
    least: 126,
    value: (row) => of<'workloads'>(row).memory_request,
    cell: (row) => (
      <Use
        used={used(row)?.memory ?? null}
        request={of<'workloads'>(row).memory_request}
        limit={of<'workloads'>(row).memory_limit}
        format={memory}
      />
    ),
  };
  if (room !== 'wide') return [name, ready];
  return [
    name,
    ready,
    cpu,
    ram,
    {
      id: 'owner',
      header: 'Owner',
      sortable: false,
      width: 120,
      least: 84,
      value: (row) => ownerOf(of<'workloads'>(row).labels),
    },
    old((row) => of<'workloads'>(row).creation_time, now),
  ];
}

function pods(room: Room, now: Date): Column<Row>[] {
  const restarts = (row: Row) => restartsOf(of<'pods'>(row).restart_count);
  const name = named('Pod', (row) => {
    const { namespace, workload_name: workload, workload_type: kind } = of<'pods'>(row);
    return [namespace, [kind, workload].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  });
  const state: Column<Row> = {
    id: 'state',
    header: 'State',
    width: 172,
    least: 148,
    value: (row) => of<'pods'>(row).status,
    cell: (row) => <Status tone={podTone(of<'pods'>(row).status)}>{of<'pods'>(row).status}</Status>,
  };
  const restarted: Column<Row> = {
    id: 'restarts',
    header: 'Restarts',
    kind: 'number',
    sortable: false,
    width: 84,
    value: restarts,
    cell: (row) => (restarts(row) > 5 ? <b className="st bad">{count(restarts(row))}</b> : count(restarts(row))),
  };
  if (room === 'narrow') return [name, state];
  if (room === 'beside') return [name, state, restarted];
  return [
    name,
    state,
    restarted,
    { id: 'node', header: 'Node', width: 180, least: 112, value: (row) => of<'pods'>(row).node_name },
    old((row) => of<'pods'>(row).creation_time, now),
  ];
}

function nodes(room: Room, now: Date): Column<Row>[] {
  const name = named('Node', (row) => {
    const { node_flavor: flavor, node_zone: zone, node_type: type } = of<'nodes'>(row);
    return [flavor, type, zone].filter(Boolean).join(', ');
  });
  const state: Column<Row> = {
    id: 'state',
    header: 'State',
    width: 124,
    least: 104,
    value: (row) => nodeState(of<'nodes'>(row).conditions).text,
    cell: (row) => {
      const { tone, text } = nodeState(of<'nodes'>(row).conditions);
      return <Status tone={tone}>{text}</Status>;
    },
  };
  const cpu: Column<Row> = {
    id: 'cpu',
    header: 'CPU for work',
    kind: 'number',
    width: 128,
    least: 112,
    value: (row) => of<'nodes'>(row).cpu_allocatable,
    cell: (row) => `${cores(of<'nodes'>(row).cpu_allocatable)} of ${cores(of<'nodes'>(row).cpu_capacity)}`,
  };
  const ram: Column<Row> = {
    id: 'memory',
    header: 'Memory for work',
    kind: 'number',
    width: 160,
    least: 140,
    value: (row) => of<'nodes'>(row).memory_allocatable,
    cell: (row) => `${memory(of<'nodes'>(row).memory_allocatable)} of ${memory(of<'nodes'>(row).memory_capacity)}`,
  };
  if (room !== 'wide') return [name, state];
  return [name, state, cpu, ram, old((row) => of<'nodes'>(row).node_creation_time, now)];
}
