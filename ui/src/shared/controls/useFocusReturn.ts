import { useState } from 'react';
import { isGone, successorOf } from './heldFocus';

/**
 * For `onCloseAutoFocus` of a dialog: the focus goes back to what had it when the dialog was drawn first, or to what is in its place now.
 *
 * Radix returns it to its own trigger alone, and our dialogs have none: they are opened by keys and menus, too.
 */
export function useFocusReturn(): (event: Event) => void {
  const [before] = useState(() => document.activeElement);
  return (event) => {
    event.preventDefault();
    const now = document.activeElement;
    // The action has moved the focus elsewhere, for example to another dialog.
    if (now && now !== document.body && !(event.target instanceof Node && event.target.contains(now))) return;
    const origin = before instanceof HTMLElement && before !== document.body ? before : null;
    // Its row may have been removed, or it may be disabled now.
    const back = origin && isGone(origin) ? successorOf(origin) : origin;
    (back ?? document.querySelector<HTMLElement>('#main'))?.focus();
  };
}
