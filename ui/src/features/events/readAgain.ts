import type { QueryClient } from '@tanstack/react-query';
import { FilterValues } from './queries';

/**
 * Reads the page again when an event has come or changed. The values to filter by are gathered from all events, which takes longer than the rest of
 * the page, and hardly ever change with one: they are read again when the page is opened the next time.
 */
export function readAgain(client: QueryClient): void {
  void client.invalidateQueries({
    queryKey: ['graphql'],
    predicate: ({ queryKey }) => queryKey[1] !== FilterValues,
  });
  void client.invalidateQueries({ queryKey: ['graphql', FilterValues], refetchType: 'none' });
}
