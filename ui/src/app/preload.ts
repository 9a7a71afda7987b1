import type { AnyRoute, AnyRouter } from '@tanstack/react-router';
import { places } from './pages';

const onDemand = places.filter((place) => place.onDemand).map(({ address }) => address as string);

/** Runs `run` when the browser has nothing to do. */
export function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 5_000 });
  // WebKit, which draws the window on Linux and macOS, has no idle callback. Loading all pages takes a second, then the window is idle.
  else setTimeout(run, 20);
}

/**
 * Fetches the chunks of the other pages while the browser has nothing to do, so that going there is instant.
 *
 * Answers what stops it. A chunk that does not arrive is asked for again when the page is opened.
 */
export function preloadPages(router: AnyRouter): () => void {
  const waiting = Object.values(router.routesById as Record<string, AnyRoute>).filter(
    (route) => !onDemand.includes(route.fullPath as string),
  );
  let stopped = false;
  const next = () => {
    const route = waiting.shift();
    if (!route || stopped) return;
    const page = route.options.component as { preload?: () => Promise<unknown> } | undefined;
    Promise.resolve(page?.preload?.()).then(goOn, goOn);
  };
  const goOn = () => {
    whenIdle(next);
  };
  // The first page is painted first.
  const begin = setTimeout(goOn, 600);
  return () => {
    stopped = true;
    clearTimeout(begin);
  };
}
