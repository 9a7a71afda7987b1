import {
  RouterProvider,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { dropFailedStyles, lazyPage, readAgain, readAgainOnce } from './lazyPage';
import { PageFailure } from './PageFailure';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A page whose code cannot be fetched, as Chromium says it. */
function draw() {
  const root = createRootRoute();
  const page = createRoute({
    getParentRoute: () => root,
    path: '/',
    component: lazyPage((): Promise<{ Page: () => null }> => {
      return Promise.reject(new TypeError('Failed to fetch dynamically imported module: http://here/Page.js'));
    }, 'Page'),
    errorComponent: PageFailure,
  });
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  render(<RouterProvider router={router as never} />);
}

test('a page whose code does not arrive says so in words, and asks the service again', async () => {
  sessionStorage.clear();
  vi.spyOn(console, 'error').mockReturnValue();
  const asked = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
  vi.stubGlobal('fetch', asked);
  draw();
  expect(
    await screen.findByText(/Its code could not be loaded: the service may be unavailable\. Your filters are kept/),
  ).toBeTruthy();
  // Nothing was read again while the service is away: whoever does notes it here.
  expect(sessionStorage.length).toBe(0);
  expect(asked).toHaveBeenCalledTimes(1);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(asked).toHaveBeenCalledTimes(2);
  vi.mocked(console.error).mockRestore();
});

test('the page is read again when the service answers, and not before', async () => {
  const reload = vi.fn();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await readAgain(reload)).toBe(false);
  expect(reload).not.toHaveBeenCalled();
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('', { status: 404 })));
  expect(await readAgain(reload)).toBe(true);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('without being asked it is read again once at a place: the next failure there is shown', async () => {
  sessionStorage.clear();
  const reload = vi.fn();
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('')));
  await readAgainOnce(reload);
  await readAgainOnce(reload);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a link to styles that did not arrive leaves the page, so that they are asked for again', () => {
  dropFailedStyles();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  document.head.append(link);
  link.dispatchEvent(new Event('load'));
  expect(link.isConnected).toBe(true);
  link.dispatchEvent(new Event('error'));
  expect(link.isConnected).toBe(false);
});
