import { useLayoutEffect } from 'react';
import type { RefObject } from 'react';

/** A panel being removed while it has the focus: the element focused before it opened, and the name of the control focused now. */
let left: { opener: Element | null; control: string | null } | null = null;

/**
 * For a panel beside a list: a focus in it goes back to where it came from when the panel is closed. Where another panel takes its place, as with *Next*, it
 * goes to the same control there. Without that it would be on nothing, and the next key would begin at the top of the window.
 */
export function useReturnedFocus(panel: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const own = panel.current;
    const opener = left?.opener ?? document.activeElement;
    if (own && left) {
      const controls = [...own.querySelectorAll<HTMLElement>('button[aria-label]')];
      (controls.find((one) => one.getAttribute('aria-label') === left?.control) ?? own).focus({ preventScroll: true });
      left = null;
    }
    return () => {
      const current = document.activeElement;
      if (!current || !own?.contains(current)) return;
      left = { opener, control: current.getAttribute('aria-label') };
      // Its replacement mounts in the same tick.
      queueMicrotask(() => {
        const isClosed = left !== null && document.activeElement === document.body;
        left = null;
        const back = opener?.isConnected && opener !== document.body ? opener : document.getElementById('main');
        if (isClosed && back instanceof HTMLElement) back.focus({ preventScroll: true });
      });
    };
  }, [panel]);
}
