import { useSyncExternalStore } from 'react';

/** A value that outlives pages and notifies its readers of changes. */
export interface Store<Value> {
  get(): Value;
  set(change: Value | ((before: Value) => Value)): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<Value>(first: Value): Store<Value> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(change) {
      value = typeof change === 'function' ? (change as (before: Value) => Value)(value) : change;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<Value>(store: Store<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}
