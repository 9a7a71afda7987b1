import { useEffect } from 'react';
import type { RefObject } from 'react';

/** While a panel covers the whole width of the window, Tab skips the content below it. */
export function useCover(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const own = panel.current;
    if (!own) return;
    let covered: Element[] = [];
    const uncover = () => {
      for (const part of covered) part.removeAttribute('inert');
      covered = [];
    };
    const look = () => {
      uncover();
      const covers = getComputedStyle(own).position === 'fixed' && own.offsetWidth >= window.innerWidth;
      if (covers) covered = below(own);
      for (const part of covered) part.setAttribute('inert', '');
    };
    look();
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('resize', look);
      uncover();
    };
  }, [panel]);
}

/** All elements of the frame except the panel, its ancestors, and toasts, which are above it. */
function below(panel: Element): Element[] {
  const found: Element[] = [];
  for (let part = panel; part.parentElement && !part.matches('.app, body'); part = part.parentElement)
    for (const other of part.parentElement.children)
      if (other !== part && !other.matches('.toasts, [inert]')) found.push(other);
  return found;
}
