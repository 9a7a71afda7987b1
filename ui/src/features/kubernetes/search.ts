export const tabNames = ['namespaces', 'workloads', 'pods', 'nodes'] as const;
export type TabName = (typeof tabNames)[number];
/** The files of the bundle are a tab next to the objects of the cluster. */
const allTabs = [...tabNames, 'files'] as const;

export interface KubernetesSearch {
  /** The cluster; if missing, the last one viewed, else the first. */
  cluster?: string;
  /** Workloads if missing. */
  tab?: (typeof allTabs)[number];
  namespace?: string;
  /** Pods that do not run, files that were not read, or workloads with pods that are not ready. */
  trouble?: true;
  q?: string;
  sort?: string;
  /** The open item: the id of a resource, or the name of a namespace. */
  id?: string;
  /** The text searched in the YAML of objects; the panel is open while it is set, even if it is empty. */
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

/** Whether a side panel is open, which leaves room for few columns. */
export function isBeside({ id, yaml, changes }: KubernetesSearch): boolean {
  return id !== undefined || yaml !== undefined || changes !== undefined;
}
