import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useServiceAdmin } from '@/api';
import type { ApiError, Rest } from '@/api';
import { timeLeft } from '@/shared';
import { serviceAddress } from '@/shared/place';

/** The fields of a model download that this page shows. */
export type Download = Pick<Rest.ModelDownload, 'state' | 'size_bytes' | 'bytes' | 'hashed_bytes' | 'seconds_left'>;

/** A service model, as returned by `/api/models`. */
export type ServiceModel = Pick<Rest.ServiceModel, 'name'> & {
  here: Pick<Rest.ModelHere, 'size_bytes'> | null;
  download: Download | null;
};

interface Models {
  models: ServiceModel[];
}

const key = ['models on their way'] as const;

/** The state of the service's own models, updated while a page shows them. Empty for users without permission. */
export function useServiceModels(): readonly ServiceModel[] {
  const client = useQueryClient();
  const { enabled, ask } = useServiceAdmin();
  const { data } = useQuery<Models, ApiError>({
    queryKey: key,
    enabled,
    queryFn: ({ signal }) => ask<Models>('/api/models', signal),
    retry: false,
    staleTime: 0,
  });
  const isThere = data !== undefined;
  useEffect(() => {
    if (!isThere) return undefined;
    const news = new EventSource(serviceAddress('/api/models/events'));
    news.addEventListener('models', (event: MessageEvent<string>) => {
      client.setQueryData(key, JSON.parse(event.data) as Models);
    });
    return () => {
      news.close();
    };
  }, [client, isThere]);
  return data?.models ?? [];
}

/** The model for answers: the larger one, unless only the smaller one is downloaded or downloading. */
export function offered(models: readonly ServiceModel[]): ServiceModel | undefined {
  const found = ['svc-llm', 'svc-slm'].flatMap((name) => models.filter((model) => model.name === name));
  return found.find(({ here, download }) => here ?? download) ?? found[0];
}

/** Progress and state in words: "62%, about 9 min left". */
export function standing({ state, size_bytes, bytes, hashed_bytes, seconds_left }: Download): {
  percent: number | null;
  words: string;
} {
  const isVerifying = state === 'verifying';
  const done = isVerifying ? hashed_bytes : bytes;
  const percent = size_bytes ? Math.min(100, Math.floor((done / size_bytes) * 100)) : null;
  const rest: Partial<Record<Rest.DownloadState, string>> = {
    downloading: seconds_left === null ? 'downloading' : timeLeft(seconds_left),
    stalled: 'stalled, trying again',
    waiting_network: 'waiting for the network',
    verifying: 'verified',
    installing: 'finishing',
    paused: 'paused',
    failed: 'stopped: see the download',
    quarantined: 'wrong file: see the download',
  };
  return {
    percent,
    words: [percent === null ? '' : `${String(percent)}%`, rest[state] ?? 'starting'].filter(Boolean).join(', '),
  };
}
