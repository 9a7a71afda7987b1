import { useSession } from '@/api';
import { createStore, useStore } from '@/shared';
import { keptName } from '@/shared/place';

// The service does not store what a user has dismissed, so the browser does: per user and tenant.
const name = keptName('quarterdeck.attention');
/** As many are remembered; the oldest go first. */
const most = 200;

/** Dismissed items, by user and tenant. */
type DismissalsByInstance = Record<string, readonly string[]>;

function kept(): DismissalsByInstance {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(name) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as DismissalsByInstance) : {};
  } catch {
    return {};
  }
}

const store = createStore<DismissalsByInstance>(kept());

function keep(change: (before: DismissalsByInstance) => DismissalsByInstance): void {
  store.set(change(store.get()));
  try {
    localStorage.setItem(name, JSON.stringify(store.get()));
  } catch {
    // Without storage, items are dismissed for this visit only.
  }
}

/** The keys that this person has dismissed in this tenant, and how to change them. */
export function useDismissed() {
  const session = useSession().data;
  const owner = `${session?.tenant.id ?? ''} ${session?.email ?? ''}`;
  const found = useStore(store)[owner];
  const keys = Array.isArray(found) ? found : [];
  const set = (next: (before: readonly string[]) => readonly string[]) => {
    keep((before) => ({ ...before, [owner]: next(before[owner] ?? []).slice(-most) }));
  };
  return {
    has: (key: string) => keys.includes(key),
    add: (key: string) => {
      set((before) => [...before.filter((one) => one !== key), key]);
    },
    remove: (gone: readonly string[]) => {
      set((before) => before.filter((one) => !gone.includes(one)));
    },
  };
}
