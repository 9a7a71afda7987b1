import { keptName } from '@/shared/place';
import { compareNames, createStore } from '@/shared';

/** A query with its variables, both as typed. */
export interface Draft {
  query: string;
  variables: string;
}

/** An open tab; its text survives a restart. */
export interface Tab extends Draft {
  id: string;
  /** The saved query it shows. */
  savedId?: string;
}

export interface SavedQuery extends Draft {
  id: string;
  name: string;
}

/** One run, newest first. */
export interface Run extends Draft {
  /** ISO time. */
  at: string;
  /** HTTP status, 0 without an answer. */
  status: number;
  /** The number of errors in the response. */
  errors: number;
  ms: number;
  bytes: number;
}

export interface Library {
  tabs: readonly Tab[];
  activeId: string;
  saved: readonly SavedQuery[];
  history: readonly Run[];
}

const historyLength = 100;
/** Longer texts are executed but not stored: the browser has about 5 MB in total. */
const rememberedLength = 50_000;

const first: Draft = {
  query: `query SpendByAccount {
  cloud_accounts(
    order_by: { account_name: asc }
    limit: 50
  ) {
    account_name
    cloud_provider
    spends_aggregate {
      aggregate {
        sum {
          amount
        }
        count
      }
    }
  }
}
`,
  variables: '',
};

export function emptyLibrary(): Library {
  return { tabs: [{ ...first, id: 'first' }], activeId: 'first', saved: [], history: [] };
}

/** The stored library, repaired: at least one tab, one of them active. Invalid text gives an empty library. */
export function readLibrary(text: string | null): Library {
  const empty = emptyLibrary();
  try {
    const kept = JSON.parse(text ?? '{}') as Partial<Record<keyof Library, unknown>> | null;
    const tabs = listOf<Tab>(kept?.tabs, ['id', 'query', 'variables']);
    const [one] = tabs;
    if (!kept || !one) return empty;
    return {
      tabs,
      activeId: (tabs.find((tab) => tab.id === kept.activeId) ?? one).id,
      saved: listOf<SavedQuery>(kept.saved, ['id', 'name', 'query', 'variables']),
      history: listOf<Run>(kept.history, ['at', 'query', 'variables']),
    };
  } catch {
    return empty;
  }
}

function listOf<Item extends object>(list: unknown, texts: readonly (keyof Item)[]): Item[] {
  if (!Array.isArray(list)) return [];
  return (list as (Item | null)[]).filter(
    (item): item is Item & object => item !== null && texts.every((name) => typeof item[name] === 'string'),
  );
}

/** Adds a run at the top; an identical query moves there instead of being listed twice. */
export function remember(library: Library, run: Run): Library {
  if (run.query.length + run.variables.length > rememberedLength) return library;
  const others = library.history.filter((old) => old.query !== run.query || old.variables !== run.variables);
  return { ...library, history: [run, ...others].slice(0, historyLength) };
}

/** The text of the active tab. */
export function write(library: Library, change: Partial<Draft>): Library {
  const tabs = library.tabs.map((tab) => (tab.id === library.activeId ? { ...tab, ...change } : tab));
  return { ...library, tabs };
}

/** A tab with this text becomes the active one: an open one that shows the same, else a new one. */
export function open(library: Library, draft: Draft & { savedId?: string }, id: string): Library {
  const shown = library.tabs.find((tab) =>
    draft.savedId ? tab.savedId === draft.savedId : tab.query === draft.query && tab.variables === draft.variables,
  );
  if (shown) return { ...library, activeId: shown.id };
  return { ...library, tabs: [...library.tabs, { ...draft, id }], activeId: id };
}

/** Closes the tab; its neighbour becomes active, and an empty tab replaces the last one. */
export function close(library: Library, id: string, nextId: string): Library {
  const at = library.tabs.findIndex((tab) => tab.id === id);
  const left = library.tabs.filter((tab) => tab.id !== id);
  const tabs = left.length > 0 ? left : [{ id: nextId, query: '', variables: '' }];
  const neighbour = tabs[Math.min(Math.max(at, 0), tabs.length - 1)] ?? tabs[0];
  return { ...library, tabs, activeId: id === library.activeId ? (neighbour?.id ?? nextId) : library.activeId };
}

/** Saves the active tab under a name: updates the saved query it shows, else creates one. */
export function save(library: Library, name: string, id: string): Library {
  const tab = library.tabs.find(({ id: own }) => own === library.activeId);
  if (!tab) return library;
  const savedId = library.saved.some((kept) => kept.id === tab.savedId) && tab.savedId ? tab.savedId : id;
  const kept: SavedQuery = { id: savedId, name, query: tab.query, variables: tab.variables };
  const saved = library.saved.some((old) => old.id === savedId)
    ? library.saved.map((old) => (old.id === savedId ? kept : old))
    : [...library.saved, kept];
  saved.sort((a, b) => compareNames(a.name, b.name));
  return { ...library, saved, tabs: library.tabs.map((old) => (old === tab ? { ...tab, savedId } : old)) };
}

export function remove(library: Library, savedId: string): Library {
  return { ...library, saved: library.saved.filter(({ id }) => id !== savedId) };
}

/** True when the tab shows a saved query that has been changed since. */
export function isChanged(library: Library, tab: Tab): boolean {
  const kept = library.saved.find(({ id }) => id === tab.savedId);
  return kept !== undefined && (kept.query !== tab.query || kept.variables !== tab.variables);
}

/** A library stored in this browser under `key`. */
export function openLibrary(name: string) {
  const key = keptName(name);
  const store = createStore(readLibrary(localStorage.getItem(key)));
  store.subscribe(() => {
    try {
      localStorage.setItem(key, JSON.stringify(store.get()));
    } catch {
      // The storage is full or disabled: everything works but is not stored.
    }
  });
  return store;
}
