import { useEffect } from 'react';

let typed = '';

/** Keys typed for a dialog before it loaded, for its first render. */
export const bufferedKeys = (): string => typed;

/** Stands in for a dialog of the frame until its script has loaded: keys pressed meanwhile go to the dialog and not to the page. */
export function KeyBuffer({ onClose }: { onClose: () => void }) {
  useEffect(() => {
    const keep = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') onClose();
      else if (event.key === 'Backspace') typed = typed.slice(0, -1);
      else if (event.key.length === 1) typed += event.key;
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', keep, true);
    return () => {
      window.removeEventListener('keydown', keep, true);
      // The dialog has been drawn by now.
      typed = '';
    };
  }, [onClose]);
  return null;
}
