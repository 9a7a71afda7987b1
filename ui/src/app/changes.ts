import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { askWhetherThere, hasNewlyEnded, useAbout } from '@/api';
import { serviceAddress } from '@/shared/place';

/** The first page is painted first, ms. */
const afterPaint = 600;
/** Until a service that cut the connection is asked again, ms. */
const patience = 5_000;

/** Reads everything again when an import has ended, whoever ran it: this page, another one, or a command in a shell. Silent while nothing happens. */
export function useChanges(): void {
  const client = useQueryClient();
  // An instance of an older version does not tell.
  const tells = useAbout().data?.areas?.includes('changes') ?? false;
  useEffect(() => (tells ? listen(client) : undefined), [client, tells]);
}

/** Listens while the page is seen: a browser keeps few connections, and pages behind others would take them all. Answers what stops it. */
function listen(client: QueryClient): () => void {
  let news: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOpen = false;
  // What ended until then was in the answers that this page began with.
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
      // Calling again by itself it would not say what it knows.
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
