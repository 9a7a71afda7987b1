import { useSyncExternalStore } from 'react';

const query = '(max-width: 760px)';

/** Whether the page is as narrow as a phone: tables then keep what fits two lines. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

function subscribe(changed: () => void): () => void {
  const media = window.matchMedia(query);
  media.addEventListener('change', changed);
  return () => {
    media.removeEventListener('change', changed);
  };
}
