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

/** Whether the page is being printed. Content that depends on it is rendered before printing starts. */
export function usePrinting(): boolean {
  return useSyncExternalStore(listen, () => printing);
}
