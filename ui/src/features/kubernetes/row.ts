import type { Json, ResultOf } from '@/api';
import type { Numeric, Tone } from '@/shared';
import type { NamespacePage, NodePage, PodPage, WorkloadPage } from './queries';
import { quietStates } from './where';

export type Namespace = ResultOf<typeof NamespacePage>['k8s_namespaces'][number];
export type Workload = ResultOf<typeof WorkloadPage>['k8s_workloads'][number];
export type Pod = ResultOf<typeof PodPage>['k8s_pods'][number];
export type Node = ResultOf<typeof NodePage>['k8s_nodes'][number];

/** A line of one of the four tables. */
export type Row =
  | { tab: 'namespaces'; id: string; name: string; of: Namespace }
  | { tab: 'workloads'; id: string; name: string; of: Workload }
  | { tab: 'pods'; id: string; name: string; of: Pod }
  | { tab: 'nodes'; id: string; name: string; of: Node };

/** A container as a definition has it. */
export interface Container {
  name: string;
  image: string;
  requests: string;
  limits: string;
  restarts: number | null;
}

function isFields(value: Json | undefined): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names and values of a JSON object, as texts. */
export function pairs(value: Json | undefined): [string, string][] {
  if (!isFields(value)) return [];
  return Object.entries(value).map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)]);
}

/** "cpu 500m, memory 512Mi". */
function amounts(value: Json | undefined): string {
  return pairs(value)
    .map(([name, amount]) => `${name} ${amount}`)
    .join(', ');
}

/** The containers in a definition: below `config`, below `spec`, or at its top. */
export function containersOf(meta: Json, restarts: Json = null): Container[] {
  const top = isFields(meta) ? meta : {};
  const places = [top, top['config'], top['spec']].filter(isFields);
  const list = places.map((place) => place['containers']).find((one) => Array.isArray(one)) ?? [];
  const counts = isFields(restarts) ? restarts : {};
  return (list as Json[]).filter(isFields).map((one) => {
    const resources = isFields(one['resources']) ? one['resources'] : {};
    const name = typeof one['name'] === 'string' ? one['name'] : '';
    const many = counts[name];
    return {
      name,
      image: typeof one['image'] === 'string' ? one['image'] : '',
      requests: amounts(resources['requests']),
      limits: amounts(resources['limits']),
      restarts: many === undefined ? null : Number(many),
    };
  });
}

/** Restarts of all containers of a pod. */
export function restartsOf(counts: Json): number {
  if (typeof counts === 'number') return counts;
  return pairs(counts).reduce((all, [, many]) => all + (Number(many) || 0), 0);
}

/** How a pod stands, in the cluster's own word. */
export function podTone(status: string): Tone {
  if (quietStates.includes(status)) return status === 'Running' ? 'ok' : 'off';
  return /^(Pending|ContainerCreating|PodInitializing|Terminating|Unknown)$/.test(status) ? 'warn' : 'bad';
}

/** How a node stands: its conditions say Ready unless something is wrong. */
export function nodeState(conditions: string | null): { tone: Tone; text: string } {
  if (conditions === null || conditions === '') return { tone: 'off', text: 'Unknown' };
  const isReady = /\bReady\b/.test(conditions) && !/NotReady|Ready\s*[=:]\s*"?False/i.test(conditions);
  return isReady ? { tone: 'ok', text: 'Ready' } : { tone: 'bad', text: 'Not ready' };
}

/** "0.5", "12": cores with at most two decimals. */
export function cores(value: Numeric | null): string {
  return value === null ? '–' : String(Math.round(Number(value) * 100) / 100);
}

/** "512 MiB", "1.5 GiB", of MiB. */
export function memory(value: Numeric | null): string {
  if (value === null) return '–';
  const mib = Number(value);
  return mib < 1024 ? `${String(Math.round(mib))} MiB` : `${String(Math.round((mib / 1024) * 10) / 10)} GiB`;
}

/** "0.2 of 2"; what is not known of the two is left out. */
export function requested(
  asked: Numeric | null | undefined,
  has: Numeric | null | undefined,
  write: (value: Numeric | null) => string,
): string {
  const part = write(asked ?? null);
  return has === null || has === undefined ? part : `${part} of ${write(has)}`;
}

/** The owner a label or a namespace names, where one does. */
export function ownerOf(labels: Json): string | null {
  const known = new Map(pairs(labels));
  const names = ['owner', 'team', 'app.kubernetes.io/managed-by'];
  return names.map((name) => known.get(name)).find((one) => one !== undefined) ?? null;
}
