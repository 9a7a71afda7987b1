import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** Whether the content of a page is being removed while it has the focus. */
let isLost = false;

/**
 * For the content of a page: the focus stays in it where another takes its place, as when a page that was loading has come. Without that it would be on
 * nothing, and the next key would begin at the top of the window.
 */
export function useKeptFocus(): RefObject<HTMLElement | null> {
  const content = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const own = content.current;
    if (isLost && document.activeElement === document.body) own?.focus({ preventScroll: true });
    return () => {
      isLost = own?.contains(document.activeElement) ?? false;
      // Its replacement mounts in the same tick.
      queueMicrotask(() => {
        isLost = false;
      });
    };
  }, []);
  return content;
}
