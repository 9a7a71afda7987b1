import type { AnyRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * A change of page moves the focus to its content; the first page keeps the browser's own.
 *
 * It waits until the page stands: the address changes before, and what is focused then goes away with the page that was left.
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
