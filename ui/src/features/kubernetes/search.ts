export const tabNames = ['namespaces', 'workloads', 'pods', 'nodes'] as const;
export type TabName = (typeof tabNames)[number];
/** The files of the bundle a cluster came from stand beside its objects. */
const allTabs = [...tabNames, 'files'] as const;

export interface KubernetesSearch {
  /** The cluster; the one that was looked at last when left out, else the first. */
  cluster?: string;
  /** Workloads when left out. */
  tab?: (typeof allTabs)[number];
  namespace?: string;
  /** Pods that do not run, files that were not read, or workloads whose pods are not all ready. */
  trouble?: true;
  q?: string;
  sort?: string;
  /** What is open: the id of a resource, or the name of a namespace. */
  id?: string;
  /** What is looked for in the objects' YAML; the panel is open while it is there, also with nothing typed yet. */
  yaml?: string;
  /** The panel that compares dumps is open; the day and time of a dump, or `all`. */
  changes?: string;
}

const texts = ['cluster', 'namespace', 'q', 'sort', 'id', 'changes'] as const;

/** Unknown or invalid values are dropped, never an error. */
export function kubernetesSearch(search: Record<string, unknown>): KubernetesSearch {
  const found: KubernetesSearch = {};
  const tab = allTabs.find((name) => name === search['tab']);
  if (tab) found.tab = tab;
  if (search['trouble'] === true) found.trouble = true;
  for (const name of texts) {
    const value = search[name];
    // The router parses "123" in the address as a number.
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && text !== '') found[name] = text;
  }
  // Nothing typed yet is a space: an empty text leaves the address.
  if (typeof search['yaml'] === 'string' && search['yaml'] !== '') found.yaml = search['yaml'];
  else if (typeof search['yaml'] === 'number') found.yaml = String(search['yaml']);
  return found;
}

/** Whether a panel stands beside the list, which leaves room for few columns. */
export function isBeside({ id, yaml, changes }: KubernetesSearch): boolean {
  return id !== undefined || yaml !== undefined || changes !== undefined;
}
