import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError, call, send, useServiceAdmin } from '@/api';
import { endJob, showJob } from '@/shared';
import { serviceAddress } from '@/shared/place';
import { isActive } from './types';
import type { Models, RegistryLook, SettingName } from './types';
import { percent } from './wording';

const key = ['models'] as const;
const lookKey = ['models registry'] as const;

/** All models with their state, updated by the service while the page is open and while a download runs. */
export function useModels() {
  const { enabled, ask } = useServiceAdmin();
  const client = useQueryClient();
  const models = useQuery<Models, ApiError>({
    queryKey: key,
    enabled,
    queryFn: ({ signal }) => ask<Models>('/api/models', signal),
  });
  const isThere = models.data !== undefined;
  useEffect(() => {
    if (!isThere) return undefined;
    pages += 1;
    listen(client);
    return () => {
      pages -= 1;
      hangUp(client);
    };
  }, [client, isThere]);
  return models;
}

/** Open pages of models; the news outlive them while there is a job for the status bar. */
let pages = 0;
let news: EventSource | null = null;

function listen(client: QueryClient) {
  if (news) return;
  news = new EventSource(serviceAddress('/api/models/events'));
  news.addEventListener('models', (event: MessageEvent<string>) => {
    take(client, JSON.parse(event.data) as Models);
  });
}

function take(client: QueryClient, models: Models) {
  const before = client.getQueryData<Models>(key);
  client.setQueryData(key, models);
  for (const { name, download } of models.models) {
    const id = `model ${name}`;
    if (download && isActive(download)) {
      const done = download.size_bytes ? percent(download.bytes, download.size_bytes) / 100 : null;
      showJob({ id, title: name, done, page: '/settings/model-downloads', comes: true });
    } else endJob(id);
    // An error of the registry is more recent than its last check.
    const was = before?.models.find((model) => model.name === name)?.download;
    if (was && isActive(was) && download && !isActive(download) && download.failure)
      void client.invalidateQueries({ queryKey: lookKey });
  }
  hangUp(client);
}

function hangUp(client: QueryClient) {
  const models = client.getQueryData<Models>(key);
  const works = models?.models.some(({ download }) => download !== null && isActive(download)) ?? false;
  if (pages > 0 || works) return;
  news?.close();
  news = null;
}

/** Actions on a model; each returns the new state of all models. */
export type Act =
  | { act: 'start' | 'again' | 'pause' | 'cancel' | 'remove'; name: string }
  | { act: 'verify'; name: string; sha256?: string };

function request(wanted: Act): Promise<Models> {
  const path = `/api/models/${encodeURIComponent(wanted.name)}`;
  switch (wanted.act) {
    case 'start':
      return call<Models>(`${path}/download`, { method: 'POST' });
    case 'again':
      return call<Models>(`${path}/download?again=true`, { method: 'POST' });
    case 'pause':
      return call<Models>(`${path}/pause`, { method: 'POST' });
    case 'cancel':
      return call<Models>(`${path}/download`, { method: 'DELETE' });
    case 'remove':
      return call<Models>(path, { method: 'DELETE' });
    case 'verify':
      return send<Models>('POST', `${path}/verify`, wanted.sha256 ? { sha256: wanted.sha256 } : {});
  }
}

export function useAct() {
  const client = useQueryClient();
  return useMutation<Models, ApiError, Act>({
    mutationFn: request,
    onSuccess: (models) => {
      take(client, models);
    },
    onError: () => client.invalidateQueries({ queryKey: key }),
  });
}

/** Whether the registry responds and accepts the key; checked once per visit if one is set, and on request. */
export function useRegistryLook(enabled: boolean) {
  return useQuery<RegistryLook, ApiError>({
    queryKey: lookKey,
    queryFn: ({ signal }) => call<RegistryLook>('/api/models/registry/look', { method: 'POST', signal }),
    enabled,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

export function useSaveSettings() {
  const client = useQueryClient();
  return useMutation<Models, ApiError, Partial<Record<SettingName, string | null>>>({
    mutationFn: (values) => send<Models>('PUT', '/api/models/settings', { values }),
    onSuccess: async (models) => {
      take(client, models);
      await client.resetQueries({ queryKey: lookKey });
    },
  });
}

export function useMoveFolder() {
  const client = useQueryClient();
  return useMutation<Models, ApiError, string>({
    mutationFn: (path) => send<Models>('PUT', '/api/models/folder', { path }),
    onSuccess: (models) => {
      take(client, models);
    },
  });
}

/** Sends a model file with its hash, if there is one; `progress` hears of bytes sent. */
export function useImportModel() {
  const client = useQueryClient();
  return useMutation<
    Models,
    ApiError,
    { name: string; file: File; sha256: string | null; progress: (sent: number) => void }
  >({
    mutationFn: ({ name, file, sha256, progress }) => {
      const hash = sha256 === null ? '' : `&sha256=${encodeURIComponent(sha256)}`;
      const path = `/api/models/${encodeURIComponent(name)}/file?file=${encodeURIComponent(file.name)}${hash}`;
      return new Promise<Models>((resolve, reject) => {
        // Fetch does not report upload progress.
        const wire = new XMLHttpRequest();
        wire.open('POST', serviceAddress(path));
        wire.upload.onprogress = (event) => {
          progress(event.loaded);
        };
        wire.onload = () => {
          const body = readBody(wire.responseText);
          if (wire.status < 300) resolve(body as unknown as Models);
          else
            reject(
              new ApiError(
                body.error ?? `http_${String(wire.status)}`,
                body.message ?? `The service returned status ${String(wire.status)}.`,
                wire.status,
                path,
              ),
            );
        };
        wire.onerror = () => {
          reject(new ApiError('offline', 'The connection was lost during the upload. Nothing was saved.', 0, path));
        };
        wire.send(file);
      });
    },
    onSuccess: (models) => {
      take(client, models);
    },
  });
}

function readBody(text: string): { error?: string; message?: string } {
  try {
    return JSON.parse(text) as { error?: string; message?: string };
  } catch {
    return {};
  }
}
