import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { askWhetherThere, hasNewlyEnded, useAbout } from '@/api';
import { serviceAddress } from '@/shared/place';

/** The first page is painted first, ms. */
const afterPaint = 600;
/** Delay before reconnecting to a service that closed the connection, in ms. */
const patience = 5_000;

/** Reloads all data when an import has finished, whether this page, another one or a shell command started it. Idle otherwise. */
export function useChanges(): void {
  const client = useQueryClient();
  // An older instance does not support this.
  const tells = useAbout().data?.areas?.includes('changes') ?? false;
  useEffect(() => (tells ? listen(client) : undefined), [client, tells]);
}

/** Listens while the page is visible: browsers limit connections, and hidden pages would use them all. Returns a function that stops it. */
function listen(client: QueryClient): () => void {
  let news: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOpen = false;
  // Imports that finished before this are included in the first responses of the page.
  let knownUntil = Date.now() - performance.now();

  const hangUp = () => {
    clearTimeout(timer);
    if (!news) return;
    news.close();
    news = null;
    if (isOpen) knownUntil = Date.now();
    isOpen = false;
  };
  const call = () => {
    hangUp();
    if (document.visibilityState === 'hidden') return;
    const past = Math.min(Math.max(Math.ceil(Date.now() - knownUntil), 0), 0xffff_ffff);
    news = new EventSource(serviceAddress(`/api/changes?past_ms=${past}`));
    news.addEventListener('imports', (event: MessageEvent<string>) => {
      const ended = (JSON.parse(event.data) as string[]).filter(hasNewlyEnded);
      if (ended.length > 0) void client.invalidateQueries({ queryKey: ['graphql'] });
    });
    news.onerror = () => {
      void askWhetherThere(client);
      // An automatic reconnect would not send `knownUntil`.
      hangUp();
      timer = setTimeout(call, patience);
    };
    news.onopen = () => {
      isOpen = true;
    };
  };
  timer = setTimeout(call, afterPaint);
  document.addEventListener('visibilitychange', call);
  return () => {
    document.removeEventListener('visibilitychange', call);
    hangUp();
  };
}
