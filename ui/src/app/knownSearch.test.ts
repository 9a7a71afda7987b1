import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { eventsSearch } from '@/features/events/search';
import { knownSearch } from './knownSearch';

test('words of an address that no page knows reach no page', async () => {
  const root = createRootRoute();
  const page = createRoute({ getParentRoute: () => root, path: '/events', validateSearch: knownSearch(eventsSearch) });
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: ['/events?show=all&since=week&colour=red'] }),
  });
  await router.load();
  expect(router.state.matches.at(-1)?.search).toEqual({ since: 'week' });
});
