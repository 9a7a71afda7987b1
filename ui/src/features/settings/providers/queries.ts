import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, send, useServiceAdmin } from '@/api';
import type { ApiError, Rest } from '@/api';
import type { Change, Override, Providers } from './types';

const key = ['model providers'] as const;
const namesKey = ['names of models'] as const;
const path = '/api/model-providers';
const one = (id: string) => `${path}/${encodeURIComponent(id)}`;

/** Every provider with the sources of its values. */
export function useProviders() {
  const { enabled, ask } = useServiceAdmin();
  return useQuery<Providers, ApiError>({
    queryKey: key,
    enabled,
    queryFn: ({ signal }) => ask<Providers>(path, signal),
  });
}

/** Actions; each returns the new state of all providers. */
export type Act =
  | { act: 'add'; change: Change }
  | { act: 'save'; id: string; change: Change }
  | { act: 'remove' | 'test'; id: string }
  | { act: 'order'; ids: string[] }
  | { act: 'overrides'; overrides: Override[] };

function request(wanted: Act): Promise<Providers> {
  switch (wanted.act) {
    case 'add':
      return send<Providers>('POST', path, wanted.change);
    case 'save':
      return send<Providers>('PUT', one(wanted.id), wanted.change);
    case 'remove':
      return call<Providers>(one(wanted.id), { method: 'DELETE' });
    case 'test':
      return call<Providers>(`${one(wanted.id)}/test`, { method: 'POST' });
    case 'order':
      return send<Providers>('PUT', `${path}/order`, { ids: wanted.ids });
    case 'overrides':
      return send<Providers>('PUT', `${path}/overrides`, { overrides: wanted.overrides });
  }
}

export function useAct() {
  const client = useQueryClient();
  return useMutation<Providers, ApiError, Act>({
    mutationFn: request,
    onSuccess: async (providers, { act }) => {
      client.setQueryData(key, providers);
      // Another address or key has other models.
      if (act === 'save') await client.resetQueries({ queryKey: namesKey });
    },
  });
}

/** Names of the models of a provider, loaded if `wanted`; null if it does not list them. */
export function useModelNames(id: string, wanted: boolean) {
  return useQuery<string[] | null, ApiError>({
    queryKey: [...namesKey, id],
    queryFn: async ({ signal }) => (await call<Rest.ModelNames>(`${one(id)}/models`, { signal })).models,
    enabled: wanted,
    retry: false,
    staleTime: 60_000,
  });
}
