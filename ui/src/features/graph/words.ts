/** Names of relations in both directions. */
const relations: { [kind: string]: [forth: string, back: string] } = {
  RUNS: ['runs', 'run by'],
  RUNS_ON: ['runs on', 'runs'],
  SELECTS: ['sends to', 'reached by'],
  ROUTES_TO: ['routes to', 'routed from'],
  CALLS: ['calls', 'called by'],
  USES: ['uses', 'used by'],
  BOUND_TO: ['stored on', 'stores'],
  PART_OF: ['part of', 'has'],
  SCALES: ['scales', 'scaled by'],
  OWNS: ['owns', 'owned by'],
  ABOUT: ['about', 'event'],
  PROTECTS: ['protects', 'protected by'],
  MAY_CALL: ['may call', 'may be called by'],
};

const kinds: { [kind: string]: string } = {
  K8sService: 'Service',
  K8sSecret: 'Secret',
  K8sServiceAccount: 'Service account',
  ComputeInstance: 'Machine',
  CloudResource: 'Cloud resource',
  LoadBalancer: 'Load balancer',
  ServerlessFunction: 'Function',
  NetworkGateway: 'Gateway',
  EncryptionKey: 'Encryption key',
  PersistentVolumeClaim: 'Volume claim',
  PersistentVolume: 'Volume',
  NetworkPolicy: 'Network policy',
  CronJob: 'Cron job',
  Configuration: 'Autoscaler',
};

const sources: { [source: string]: string } = {
  kubernetes: 'Files of the cluster',
  cloud: 'Bills and inventory of the cloud account',
  tags: 'Labels and tags',
  events: 'Events',
};

export const relationName = (kind: string) => relations[kind]?.[0] ?? kind.toLowerCase().replaceAll('_', ' ');
export const backName = (kind: string) => relations[kind]?.[1] ?? `${relationName(kind)} (from)`;
export const kindName = (kind: string) => kinds[kind] ?? kind;
export const sourceName = (source: string) => sources[source] ?? (source === '' ? 'Unknown source' : source);

/**
 * Relations along which a fault spreads, against their direction. Not among them: whose a thing is, what an event is about, who
 * may call whom.
 */
export const needs: readonly string[] = ['RUNS', 'RUNS_ON', 'SELECTS', 'ROUTES_TO', 'CALLS', 'USES', 'BOUND_TO'];
/** Objects in a cluster or an account fail together with it. */
export const contained = 'PART_OF';
/** Kinds that many things have in common and that relate them to each other no closer. */
export const hubs: readonly string[] = ['Account', 'Cluster', 'Team', 'Event'];

export const modeNames = {
  around: 'Neighbours',
  outage: 'Outage',
  needs: 'What it needs',
  path: 'Path',
} as const;

export const empty = {
  title: 'No knowledge graph yet',
  text: 'Import a support bundle or the objects of a cluster to see what runs where, what calls what and who owns it. Cloud bills add machines, disks and accounts.',
  command:
    'kubectl get nodes,namespaces,pods,deployments,services,ingresses,persistentvolumeclaims -A -o json > cluster.json',
  action: 'Import cluster files',
} as const;
