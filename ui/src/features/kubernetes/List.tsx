import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { listingRows, readAll, useGraphQL, usePaged } from '@/api';
import type { ApiError, Document } from '@/api';
import { Button, DataTable, Empty, mostPrinted, sortFromText, sortToText, useNarrow, useNow } from '@/shared';
import { columnsFor } from './columns';
import { byCost, isOrderable } from './costs';
import type { Costs } from './costs';
import type { Usage } from './columns';
import { NamespacePage, NodePage, PodPage, WorkloadPage, WorkloadUse } from './queries';
import type { Namespace, Node, Pod, Row, Workload } from './row';
import { isBeside } from './search';
import type { KubernetesSearch, TabName } from './search';
import { orderOf, whereOf } from './where';
import { noMatch, nothing, nothingHelp, tabs } from './words';

type Answer = Partial<{
  k8s_namespaces: Namespace[];
  k8s_workloads: Workload[];
  k8s_pods: Pod[];
  k8s_nodes: Node[];
}>;
type Variables = { where: object; order: object[]; limit: number; offset: number };

/** The tabs use similar queries: a page of a table, in an order. */
const documents = {
  namespaces: NamespacePage,
  workloads: WorkloadPage,
  pods: PodPage,
  nodes: NodePage,
} as unknown as Record<TabName, Document<Answer, Variables>>;

function rowsOf(answer: Answer): Row[] {
  return [
    ...(answer.k8s_namespaces ?? []).map((one) => ({
      tab: 'namespaces' as const,
      id: one.name,
      name: one.name,
      of: one,
    })),
    ...(answer.k8s_workloads ?? []).map((one) => ({
      tab: 'workloads' as const,
      id: one.cloud_resource_id,
      name: one.name,
      of: one,
    })),
    ...(answer.k8s_pods ?? []).map((one) => ({
      tab: 'pods' as const,
      id: one.cloud_resource_id,
      name: one.name,
      of: one,
    })),
    ...(answer.k8s_nodes ?? []).map((one) => ({
      tab: 'nodes' as const,
      id: one.cloud_resource_id,
      name: one.name,
      of: one,
    })),
  ];
}

/** The loaded rows of a tab. */
export function useRows(cluster: string, tab: TabName, search: KubernetesSearch, total: number | undefined) {
  const where = whereOf(tab, cluster, search);
  const order = orderOf(tab, search.sort);
  const of = JSON.stringify([tab, where, order]);
  return {
    of,
    ...usePaged({
      document: documents[tab],
      page: (place) => ({ where, order, ...place }),
      rowsOf,
      of,
      total,
      whole: mostPrinted,
    }),
  };
}

/** The rows of a tab ordered by cost, if requested: then all of them are loaded. */
export function useRowsByCost(
  part: ReturnType<typeof useRows>,
  {
    cluster,
    tab,
    search,
    total,
  }: { cluster: string; tab: TabName; search: KubernetesSearch; total: number | undefined },
  costs: Costs | null,
): ReturnType<typeof useRows> {
  const [first] = sortFromText(search.sort ?? 'name');
  const isAsked = first?.id === 'cost' && isOrderable(costs, total);
  const all = useQuery<readonly Row[], ApiError>({
    queryKey: ['graphql', 'kubernetes rows', part.of, total],
    queryFn: () => readRows(cluster, tab, search, total ?? 0),
    enabled: isAsked,
  });
  const rows = useMemo(
    () => (costs && all.data ? byCost(costs, all.data, first?.desc ?? false) : undefined),
    [costs, all.data, first?.desc],
  );
  if (!isAsked) return part;
  return {
    ...part,
    of: `${part.of} ${search.sort ?? ''}`,
    rows,
    first: 0,
    error: all.error,
    retry: () => {
      void all.refetch();
    },
    onView: () => undefined,
  };
}

/** All rows of a tab, for a file. */
export function readRows(cluster: string, tab: TabName, search: KubernetesSearch, total: number) {
  const where = whereOf(tab, cluster, search);
  const order = orderOf(tab, search.sort);
  return readAll({ document: documents[tab], page: (place) => ({ where, order, ...place }), rowsOf, total });
}

/** Cores and MiB that workloads use, where it was measured. */
export function useUsage(cluster: string): Usage {
  const found = useGraphQL(WorkloadUse, { cluster }).data;
  return useMemo(
    () =>
      new Map(
        listingRows(found?.k8s_metrics_groupings_v2).map((one) => [
          one.workload_fqdn ?? '',
          {
            cpu: one.avg_cpu_used === null ? null : Number(one.avg_cpu_used),
            memory: one.avg_memory_used === null ? null : Number(one.avg_memory_used) / 1_048_576,
          },
        ]),
      ),
    [found],
  );
}

/** One of the four tables of a cluster. */
export function List({
  tab,
  rows,
  total,
  usage,
  costs,
  isOrderable: isCostOrderable,
  search,
  onGo,
}: {
  tab: TabName;
  rows: ReturnType<typeof useRows>;
  total: number | undefined;
  usage: Usage;
  costs: Costs | null;
  /** Whether the head of the costs orders the rows. */
  isOrderable: boolean;
  search: KubernetesSearch;
  onGo: (change: { [Key in keyof KubernetesSearch]?: KubernetesSearch[Key] | undefined }, replace?: boolean) => void;
}) {
  const narrow = useNarrow();
  const now = useNow();
  const room = narrow ? 'narrow' : isBeside(search) ? 'beside' : 'wide';
  const columns = useMemo(
    () => columnsFor(tab, room, usage, now, costs, isCostOrderable),
    [tab, room, usage, now, costs, isCostOrderable],
  );
  const sort = sortFromText(search.sort ?? 'name').filter(({ id }) => columns.some((column) => column.id === id));
  const isNarrowed = [search.q, search.namespace, search.trouble].some((one) => one !== undefined);
  return (
    <div className="list">
      <DataTable
        label={tabs[tab]}
        columns={columns}
        rows={total === undefined ? undefined : rows.rows}
        paged={{ of: rows.of, total: total ?? 0, first: rows.first, onView: rows.onView }}
        rowId={(row) => row.id}
        error={rows.error}
        retry={rows.retry}
        rowHeight={46}
        primary
        fill
        openId={search.id ?? null}
        onOpen={(row) => {
          onGo({ id: row.id }, search.id !== undefined);
        }}
        sort={sort.slice(0, 1)}
        onSort={(next) => {
          const text = sortToText(next);
          onGo({ sort: text === 'name' ? undefined : text });
        }}
        empty={
          isNarrowed ? (
            <Empty
              icon={SearchX}
              title={noMatch.title}
              action={
                <Button
                  onClick={() => {
                    onGo({ q: undefined, namespace: undefined, trouble: undefined });
                  }}
                >
                  {noMatch.action}
                </Button>
              }
            />
          ) : (
            <Empty
              icon={SearchX}
              title={nothing[tab]}
              action={
                tab === 'pods' ? (
                  <Link to="/imports" className="btn">
                    {nothingHelp.action}
                  </Link>
                ) : (
                  <Button
                    onClick={() => {
                      onGo({ tab: 'pods', sort: undefined });
                    }}
                  >
                    {nothingHelp.pods}
                  </Button>
                )
              }
            >
              {nothingHelp.text}
            </Empty>
          )
        }
      />
    </div>
  );
}
