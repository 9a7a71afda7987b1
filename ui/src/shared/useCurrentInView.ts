import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** Selector of the current link or tab. */
const current = '[aria-current]:not([aria-current="false"]), [role="tab"][aria-selected="true"]';

/**
 * Keeps the current one of a row of links or tabs in view where the row is wider than its place. `at` changes with what is current; the page itself is not
 * scrolled.
 */
export function useCurrentInView<Row extends HTMLElement = HTMLElement>(at: string): RefObject<Row | null> {
  const row = useRef<Row>(null);
  useEffect(() => {
    const bring = () => {
      const box = row.current;
      const tab = box?.querySelector<HTMLElement>(current);
      if (!box || !tab) return;
      const [inside, outside] = [tab.getBoundingClientRect(), box.getBoundingClientRect()];
      const middle = (inside.left + inside.right - outside.left - outside.right) / 2;
      if (inside.left < outside.left || inside.right > outside.right) box.scrollLeft += middle;
    };
    bring();
    window.addEventListener('resize', bring);
    return () => {
      window.removeEventListener('resize', bring);
    };
  }, [at]);
  return row;
}
