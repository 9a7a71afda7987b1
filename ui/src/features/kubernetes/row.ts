import { quietStates } from '@/api';
import type { Json, ResultOf } from '@/api';
import { count } from '@/shared';
import type { Numeric, Tone } from '@/shared';
import type { NamespacePage, NodePage, PodPage, WorkloadPage } from './queries';
import { reasons } from './words';

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
  /** "running", or why it waits or has ended. */
  state: string | null;
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

/** "cpu 500m, memory 512Mi" for a definition; "cpu 0.5, memory 512 MiB" for stored values, which are cores and MiB. */
function amounts(value: Json | undefined, isKept: boolean): string {
  if (!isFields(value)) return '';
  return Object.entries(value)
    .filter(([, amount]) => amount !== null)
    .map(([name, amount]) => `${name} ${amountOf(name, amount, isKept)}`)
    .join(', ');
}

function amountOf(name: string, amount: Json, isKept: boolean): string {
  // The API returns decimals as texts ("256.0"); in a definition, a text of digits is the author's own value.
  const isNumber = typeof amount === 'number' || (isKept && typeof amount === 'string' && /^\d+(\.\d+)?$/.test(amount));
  if (isNumber) return name === 'memory' ? memory(amount) : cores(amount);
  return typeof amount === 'string' ? amount : JSON.stringify(amount);
}

/** The containers in a definition: below `config`, below `spec`, or at its top. */
export function containersOf(meta: Json, restarts: Json = null): Container[] {
  const top = isFields(meta) ? meta : {};
  const places = [top, top['config'], top['spec']].filter(isFields);
  const list = places.map((place) => place['containers']).find((one) => Array.isArray(one)) ?? [];
  const counts = isFields(restarts) ? restarts : {};
  return (list as Json[]).filter(isFields).map((one) => {
    const isKept = !isFields(one['resources']);
    const resources = isFields(one['resources']) ? one['resources'] : one;
    const name = typeof one['name'] === 'string' ? one['name'] : '';
    const many = counts[name];
    return {
      name,
      image: typeof one['image'] === 'string' ? one['image'] : '',
      requests: amounts(resources['requests'], isKept),
      limits: amounts(resources['limits'], isKept),
      state: textOf(one['state']),
      restarts: many === undefined ? null : Number(many),
    };
  });
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Why a pod does not run, or why one of its containers ended: the cluster's reason with an explanation. */
export function troubleOf({ status, meta, restart_count: restarts }: Pick<Pod, 'status' | 'meta' | 'restart_count'>) {
  const known = isFields(meta) ? meta : {};
  const end = textOf(known['last_end']);
  const containers = containersOf(meta, restarts).filter(({ state }) => state !== null && state !== 'running');
  const isQuiet = quietStates.includes(status);
  if (isQuiet && (end === null || end === 'Completed')) return null;
  const words = [...(isQuiet ? [] : [status]), ...containers.map(({ state }) => state ?? ''), ...(end ? [end] : [])];
  return {
    meaning: [...new Set(words.map((word) => reasons[word.replace(/^Init:/, '')]))].filter((one) => one !== undefined),
    message: textOf(known['message']),
    containers: isQuiet ? [] : containers,
    end,
  };
}

/** Restarts of all containers of a pod. */
export function restartsOf(counts: Json): number {
  if (typeof counts === 'number') return counts;
  return pairs(counts).reduce((all, [, many]) => all + (Number(many) || 0), 0);
}

/** The tone of a pod's status. */
export function podTone(status: string): Tone {
  if (quietStates.includes(status)) return status === 'Running' ? 'ok' : 'off';
  return /^(Pending|ContainerCreating|PodInitializing|Terminating|Unknown)$/.test(status) ? 'warn' : 'bad';
}

/** The state of a node: Ready unless a condition reports a problem. */
export function nodeState(conditions: string | null): { tone: Tone; text: string } {
  if (conditions === null || conditions === '') return { tone: 'off', text: 'Unknown' };
  const isReady = /\bReady\b/.test(conditions) && !/NotReady|Ready\s*[=:]\s*"?False/i.test(conditions);
  return isReady ? { tone: 'ok', text: 'Ready' } : { tone: 'bad', text: 'Not ready' };
}

/** "0.5", "4,500": cores with at most two decimals. */
export function cores(value: Numeric | null): string {
  if (value === null) return '–';
  const rounded = Math.round(Number(value) * 100) / 100;
  return rounded < 1000 ? String(rounded) : count(rounded);
}

/** "512 MiB", "1.5 GiB", "17.6 TiB", of MiB. */
export function memory(value: Numeric | null): string {
  if (value === null) return '–';
  const mib = Number(value);
  const one = (amount: number) => String(Math.round(amount * 10) / 10);
  if (mib < 1024) return `${String(Math.round(mib))} MiB`;
  return mib < 1_048_576 ? `${one(mib / 1024)} GiB` : `${one(mib / 1_048_576)} TiB`;
}

/** "0.2 of 2"; unknown parts are omitted. */
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
