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
  text: 'Import a support bundle (tar.gz) or the output of kubectl get -A -o json: it brings namespaces, workloads, pods and nodes.',
  action: 'Import files',
};

export const nothing = {
  namespaces: 'No namespaces',
  workloads: 'No workloads',
  pods: 'No pods',
  nodes: 'No nodes',
} as const;

/** Why a table is empty, and what fills it. */
export const nothingHelp = {
  text: 'The files imported of this cluster name none. A support bundle, or kubectl get -A -o json, holds all kinds.',
  pods: 'Show pods',
  action: 'Import files',
};

export const noMatch = { title: 'Nothing matches', action: 'Clear filters' };

/** Why a cluster has only what it has. */
export const noUse = { text: 'No usage imported', title: 'No usage is imported: requests and limits only.' };
/** Above a cluster that nothing reports on. */
export const fromFiles = {
  title: (day: string | null) => (day ? `This cluster came from files of ${day}` : 'This cluster came from files'),
  text: 'Everything shown is as of then. Nothing can be changed from here.',
  action: 'Import a newer bundle',
};
export const noLive = {
  title: 'No live view',
  text: 'This shows what was imported. Restart, shell and live logs need the cluster itself.',
};

/** The files of a support bundle. */
export const files = {
  leftOut: 'Not read',
  more: (listed: string, all: string) => `${listed} of ${all} files are listed, with all that were not read.`,
  unknown: {
    title: 'The files of this bundle are not listed',
    text: 'It was imported by an earlier version. Import it again to list its files.',
  },
};

/** Objects as they were imported. */
export const yaml = {
  from: 'As imported, without secrets: data of Secrets and ConfigMaps and values with secret names are masked.',
  none: 'No YAML is stored for this object: an earlier version imported it without. To see it, import the newest dump or bundle that has this object again. An older one does not bring it.',
  nameOnly: (kind: string, name: string) =>
    `Only the name is stored: of an object larger than 64 KiB, nothing else is kept, and importing it again does not change that. It is shown by kubectl get ${kind} ${name} -o yaml.`,
  hint: 'Path, path = value or text',
  help: 'Type a path such as spec.template.spec.containers[*].image, a path with a value (spec.replicas = 3), or any text.',
  nothing: 'No matching objects.',
};

/** Two dumps compared. */
export const changes = {
  help: 'Each dump is compared with the one before it. Pods and other objects with an owner are left out: see their owner. Masked values count as equal.',
  none: 'Nothing to compare yet. Import a newer dump or bundle of this cluster: this list then has what was added, changed and removed since the one before.',
  noMatch: 'No object in this namespace differs.',
  hidden: (rest: number) => `${String(rest)} more fields differ.`,
};

/** What the words of a cluster mean for whoever has not met them. */
export const reasons: Record<string, string> = {
  CrashLoopBackOff: 'A container ends soon after each start. The cluster waits longer before each new start.',
  Error: 'Its program ended with an error.',
  OOMKilled: 'A container used more memory than its limit allows and was stopped.',
  ImagePullBackOff: 'The image could not be pulled. Check its name, its tag and the access to its registry.',
  ErrImagePull: 'The image could not be pulled. Check its name, its tag and the access to its registry.',
  InvalidImageName: 'The name of the image is not valid.',
  CreateContainerConfigError: 'A ConfigMap or Secret that it needs is missing.',
  CreateContainerError: 'The container could not be made.',
  RunContainerError: 'The container could not be started.',
  ContainerCannotRun: 'The container could not be started: its command is missing or may not be run.',
  StartError: 'The container could not be started: its command is missing or may not be run.',
  ContainerCreating: 'It waits for its image, its volumes or its network.',
  PodInitializing: 'It waits for its init containers.',
  Pending: 'No node has taken it yet.',
  Evicted: 'Its node ran short of memory, disk or processes and put it out.',
  NodeLost: 'Its node does not answer.',
};

export const why = {
  title: 'Why it is not running',
  ended: 'Why it was restarted',
  lines: 'Last log lines',
  noLines: 'No log lines of this pod were imported.',
  all: 'All its log lines',
};

/** Which price the costs of a cluster are at (issue 26: those of a list are two to five times off). */
export const prices = {
  text: (days: string) => `OpenCost’s prices, ${days}`,
  title:
    'OpenCost or Kubecost worked these costs out with prices of its own. They are not scaled to a bill: none of the machines of this cluster is stored for these days. Where one is, the bill counts, and the cluster has no costs here.',
};
