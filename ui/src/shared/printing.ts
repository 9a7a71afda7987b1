import { useSyncExternalStore } from 'react';

let printing = false;

function listen(heard: () => void): () => void {
  const begin = () => {
    printing = true;
    heard();
  };
  const end = () => {
    printing = false;
    heard();
  };
  window.addEventListener('beforeprint', begin);
  window.addEventListener('afterprint', end);
  return () => {
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', end);
  };
}

/** Whether the page is being put on paper. What is drawn because of it is there before it is printed. */
export function usePrinting(): boolean {
  return useSyncExternalStore(listen, () => printing);
}
