import type { AnyRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * Moves the focus to the content after navigation; the first page keeps the focus of the browser. It waits until the page is rendered: the address
 * changes earlier, and an element focused then is removed with the old page.
 */
export function useFocusOnArrival(router: AnyRouter): void {
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) document.getElementById('main')?.focus({ preventScroll: true });
      }),
    [router],
  );
}
