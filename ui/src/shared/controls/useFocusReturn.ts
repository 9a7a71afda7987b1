import { useState } from 'react';

/**
 * For `onCloseAutoFocus` of a dialog: the focus goes back to what had it when the dialog was drawn first, or to the page where that is gone.
 *
 * Radix returns it to its own trigger alone, and our dialogs have none: they are opened by keys and menus, too.
 */
export function useFocusReturn(): (event: Event) => void {
  const [before] = useState(() => document.activeElement);
  return (event) => {
    event.preventDefault();
    const now = document.activeElement;
    // What was done has led elsewhere, such as to another dialog.
    if (now && now !== document.body && !(event.target instanceof Node && event.target.contains(now))) return;
    const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
    (isThere ? before : document.querySelector<HTMLElement>('#main'))?.focus();
  };
}
