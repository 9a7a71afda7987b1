import {
  Outlet,
  RouterProvider,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  useRouter,
} from '@tanstack/react-router';
import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useFocusOnArrival } from './useFocusOnArrival';

function Frame() {
  useFocusOnArrival(useRouter());
  return <Outlet />;
}

test('a change of page moves the focus to the content of the new one, the first page and its search leave it', async () => {
  const root = createRootRoute({ component: Frame });
  const page = (name: string) => {
    // Each page has content of its own: the one before goes away with its page.
    const Page = () => (
      <main id="main" tabIndex={-1}>
        {name}
      </main>
    );
    return createRoute({ getParentRoute: () => root, path: `/${name}`, component: Page });
  };
  const router = createRouter({
    routeTree: root.addChildren([page('overview'), page('costs')]),
    history: createMemoryHistory({ initialEntries: ['/overview'] }),
  });
  render(<RouterProvider router={router as never} />);
  await screen.findByText('overview');
  expect(document.activeElement).toBe(document.body);
  await act(() => router.navigate({ to: '/overview', search: { month: '2025-08' } as never }));
  expect(document.activeElement).toBe(document.body);

  await act(() => router.navigate({ to: '/costs' }));
  expect(document.activeElement).toBe(screen.getByText('costs'));
});
