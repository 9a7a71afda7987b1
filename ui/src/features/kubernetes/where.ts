import { quietStates } from '@/api';
import { sortFromText } from '@/shared';
import type { KubernetesSearch, TabName } from './search';

/** Escapes % and _ in a search. */
function like(word: string): object {
  return { _ilike: `%${word.replace(/[\\%_]/g, (one) => `\\${one}`)}%` };
}

/** The columns a search looks into. */
const searched: Record<TabName, readonly string[]> = {
  namespaces: ['name'],
  workloads: ['name', 'namespace', 'kind'],
  pods: ['name', 'namespace', 'workload_name', 'node_name', 'status'],
  nodes: ['name', 'node_flavor', 'conditions', 'node_zone'],
};

type ListFilter = Pick<KubernetesSearch, 'namespace' | 'trouble' | 'q'>;

/** The objects of a kind in a cluster that match a search. Only the latest snapshot. */
export function whereOf(tab: TabName, cluster: string, { q = '', namespace, trouble }: ListFilter): object {
  const words = q.split(/\s+/).filter(Boolean);
  return {
    _and: [
      { cloud_account_id: { _eq: cluster }, is_active: { _eq: true } },
      ...(namespace !== undefined && (tab === 'workloads' || tab === 'pods')
        ? [{ namespace: { _eq: namespace } }]
        : []),
      ...(trouble && tab === 'pods' ? [{ status: { _nin: quietStates } }] : []),
      ...words.map((word) => ({ _or: searched[tab].map((column) => ({ [column]: like(word) })) })),
    ],
  };
}

const sorts: Record<TabName, Record<string, string>> = {
  namespaces: { name: 'name', workloads: 'workload_count', pods: 'pod_count', age: 'creation_time' },
  workloads: {
    name: 'name',
    kind: 'kind',
    ready: 'ready_pods',
    cpu: 'cpu_request',
    memory: 'memory_request',
    age: 'creation_time',
  },
  pods: { name: 'name', state: 'status', node: 'node_name', age: 'creation_time' },
  nodes: {
    name: 'name',
    state: 'conditions',
    type: 'node_flavor',
    cpu: 'cpu_allocatable',
    memory: 'memory_allocatable',
    age: 'node_creation_time',
  },
};

/** The order for the sorting in the address; ties are stable, so that pages do not overlap. */
export function orderOf(tab: TabName, sort: string | undefined): object[] {
  const [first = { id: 'name', desc: false }] = sortFromText(sort ?? 'name');
  const column = sorts[tab][first.id] ?? 'name';
  const last = tab === 'namespaces' ? [] : [{ cloud_resource_id: 'asc' }];
  return [{ [column]: first.desc ? 'desc_nulls_last' : 'asc_nulls_last' }, ...last];
}
