import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { openLibrary } from './library';
import { open } from './library';

/** Opens the query an address carries (`#query=…&variables=…`): a link from evidence, or from a colleague. Nothing runs by itself. */
export function useLinkedQuery(store: ReturnType<typeof openLibrary>): void {
  const { hash } = useLocation();
  useEffect(() => {
    const linked = new URLSearchParams(hash);
    const query = linked.get('query');
    if (!query) return;
    store.set((all) => open(all, { query, variables: linked.get('variables') ?? '' }, crypto.randomUUID()));
  }, [hash, store]);
}
