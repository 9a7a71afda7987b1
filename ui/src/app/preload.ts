import type { AnyRoute, AnyRouter } from '@tanstack/react-router';

/** Loaded when asked for: its editor is as large as all other pages together, and few open it. */
const onDemand = ['/api-explorer'];

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
    Promise.resolve(page?.preload?.()).then(whenIdle, whenIdle);
  };
  // WebKit, which draws the window on Linux and macOS, does not say when it is idle. All together it is a second, and then the window rests.
  const whenIdle = () => {
    if ('requestIdleCallback' in window) requestIdleCallback(next, { timeout: 5_000 });
    else setTimeout(next, 20);
  };
  // The first page is painted first.
  const begin = setTimeout(whenIdle, 600);
  return () => {
    stopped = true;
    clearTimeout(begin);
  };
}
