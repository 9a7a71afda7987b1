/** Texts of the Kubernetes page. */

export const tabs = {
  namespaces: 'Namespaces',
  workloads: 'Workloads',
  pods: 'Pods',
  nodes: 'Nodes',
  files: 'Files',
} as const;

export const empty = {
  title: 'No clusters yet',
  text: 'Import a support bundle (tar.gz) or the output of kubectl get -A -o json: it contains namespaces, workloads, pods and nodes.',
  action: 'Import files',
};

export const nothing = {
  namespaces: 'No namespaces',
  workloads: 'No workloads',
  pods: 'No pods',
  nodes: 'No nodes',
} as const;

/** Why a table is empty, and what to import. */
export const nothingHelp = {
  text: 'The imported files of this cluster contain none. A support bundle or kubectl get -A -o json contains all kinds.',
  pods: 'Show pods',
  action: 'Import files',
};

export const noMatch = { title: 'Nothing matches', action: 'Clear filters' };

/** Why some data of a cluster is missing. */
export const noUse = { text: 'No usage imported', title: 'No usage is imported: requests and limits only.' };
/** Above a cluster that nothing reports on. */
export const fromFiles = {
  title: (day: string | null) => (day ? `This cluster came from files of ${day}` : 'This cluster came from files'),
  text: 'Everything shown is as of then. Nothing can be changed from here.',
  action: 'Import a newer bundle',
};
export const noLive = {
  title: 'No live view',
  text: 'This page shows imported data. Restart, shell and live logs need the cluster itself.',
};

/** The files of a support bundle. */
export const files = {
  leftOut: 'Not read',
  more: (listed: string, all: string) => `${listed} of ${all} files are listed, including all that were not read.`,
  unknown: {
    title: 'The files of this bundle are not listed',
    text: 'It was imported by an earlier version. Import it again to list its files.',
  },
};

/** Objects as they were imported. */
export const yaml = {
  from: 'As imported, without secrets: data of Secrets and ConfigMaps and values with secret names are masked.',
  none: 'No YAML is stored for this object, because an earlier version imported it. To see it, import the newest dump or bundle with this object again. An older one does not add it.',
  nameOnly: (kind: string, name: string) =>
    `Only the name is stored, because the object is larger than 64 KiB. Importing it again does not change that. To see it, run kubectl get ${kind} ${name} -o yaml.`,
  hint: 'Path, path = value or text',
  help: 'Type a path such as spec.template.spec.containers[*].image, a path with a value (spec.replicas = 3), or any text.',
  nothing: 'No matching objects.',
};

/** Two dumps compared. */
export const changes = {
  help: 'Each dump is compared with the one before it. Pods and other objects with an owner are left out: see their owner. Masked values count as equal.',
  none: 'Nothing to compare yet. Import a newer dump or bundle of this cluster: this list then shows what was added, changed and removed since the one before.',
  noMatch: 'No object in this namespace differs.',
  hidden: (rest: number) => `${String(rest)} more fields differ.`,
};

/** Explanations of the cluster's status reasons. */
export const reasons: Record<string, string> = {
  CrashLoopBackOff: 'A container ends soon after each start. The cluster waits longer before each new start.',
  Error: 'Its program ended with an error.',
  OOMKilled: 'A container used more memory than its limit allows and was stopped.',
  ImagePullBackOff: 'The image could not be pulled. Check its name, its tag and the access to its registry.',
  ErrImagePull: 'The image could not be pulled. Check its name, its tag and the access to its registry.',
  InvalidImageName: 'The name of the image is not valid.',
  CreateContainerConfigError: 'A ConfigMap or Secret that it needs is missing.',
  CreateContainerError: 'The container could not be created.',
  RunContainerError: 'The container could not be started.',
  ContainerCannotRun: 'The container could not be started: its command is missing or may not be run.',
  StartError: 'The container could not be started: its command is missing or may not be run.',
  ContainerCreating: 'It waits for its image, its volumes or its network.',
  PodInitializing: 'It waits for its init containers.',
  Pending: 'It is not scheduled to a node yet.',
  Evicted: 'Its node ran short of memory, disk or processes and evicted it.',
  NodeLost: 'Its node does not respond.',
};

export const why = {
  title: 'Why it is not running',
  ended: 'Why it was restarted',
  lines: 'Last log lines',
  noLines: 'No log lines of this pod were imported.',
  all: 'All its log lines',
};

/** The prices of a cluster's costs: list prices are two to five times the billed cost. */
export const prices = {
  bill: (days: string) => `At the nodes’ bill, ${days}`,
  tool: (days: string) => `At OpenCost’s prices, ${days}`,
  billShort: 'its share of the nodes’ bill',
  toolShort: 'at OpenCost’s prices',
  workedOut: (tool: string, factor: string) => `${tool} at the tool’s prices × ${factor}`,
  besideShort: (amount: string) => `${amount} for volumes, network and load balancers, at the tool’s prices`,
  title: 'How the costs add up',
  scaled:
    'OpenCost or Kubecost reports what each part used of the nodes, at its own prices. The bill has the cost of the nodes. Each cost is multiplied by the billed cost of the nodes ÷ their cost in the tool, over the days that both cover.',
  rounding: 'Each line is rounded down to the last digit of the bill; the remainder goes to the lines that lost most.',
  unscaled:
    'OpenCost or Kubecost calculated these costs with its own prices: list prices, unless you set others there.',
  leftOut: (amount: string) =>
    `Not included: ${amount} of charges for these nodes that cover longer periods. Their share of these days is not known.`,
  beside: 'Volumes, network and load balancers, at the tool’s prices',
  besideHelp: 'They are not in the lines above: the charges of nodes do not include them.',
  kinds: {
    WORK: 'Workloads',
    IDLE: 'Idle: capacity that nothing requested',
    SHARED: 'Shared namespaces, as the tool split them',
    UNASSIGNED: 'Without a namespace or an owner',
  },
} as const;

/** Why the costs of a cluster are not scaled to the bill of its nodes. */
export const unscaled: Record<string, (about: string) => string> = {
  NO_COSTS: () => 'No costs are imported.',
  NO_PROVIDER_ID: () =>
    'They are not scaled to a bill: no node has a cloud ID (spec.providerID). Import a dump of the cluster with its nodes.',
  NO_NODE_BILLED: () =>
    'They are not scaled to a bill: no imported bill charges for a node of this cluster on these days.',
  SOME_NODES_BILLED: (about) =>
    `They are not scaled to a bill: the bills of these days charge for some nodes only. Without charges: ${about}.`,
  CURRENCIES: (about) => `They are not scaled to a bill: costs and bill are in different currencies (${about}).`,
  NO_COMMON_TIME: () => 'They are not scaled to a bill: no day is complete in both the tool and the bill.',
  NOTHING_TO_DIVIDE: () =>
    'They are not scaled to a bill: the nodes cost nothing on it, or nothing at the tool’s prices.',
};
