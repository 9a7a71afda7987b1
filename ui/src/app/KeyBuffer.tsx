import { useEffect } from 'react';

let typed = '';

/** What was typed for a dialog before it had come; for its first drawing. */
export const bufferedKeys = (): string => typed;

/** Stands for a dialog of the frame until its script has come: the keys that are pressed meanwhile are meant for it, and not for the page. */
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
