import { useSyncExternalStore } from 'react';

const query = '(max-width: 760px)';

/** Whether the page is as narrow as a phone; tables then show two-line rows. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrowNow);
}

/** The same check before anything is rendered, for choosing the first page. */
export function isNarrowNow(): boolean {
  return window.matchMedia(query).matches;
}

function subscribe(changed: () => void): () => void {
  const media = window.matchMedia(query);
  media.addEventListener('change', changed);
  return () => {
    media.removeEventListener('change', changed);
  };
}
