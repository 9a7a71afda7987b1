import { useQuery } from '@tanstack/react-query';
import type { ApiError } from './error';
import { call, callHere } from './http';

/** How the sample data stands, for the person who asks. */
export interface SampleData {
  /** The tenant that holds it. */
  tenant: string | null;
  state: 'loading' | 'ready' | 'failed' | null;
  /** Why it failed. */
  reason: string | null;
  /** Whether this person may load and remove it from here. */
  may_change: boolean;
  /** The tenant to go back to from it. */
  home: string | null;
}

export const sampleKey = ['sample'] as const;

/** Asked again every half second while it is loaded. */
export function useSample(enabled: boolean) {
  return useQuery<SampleData, ApiError>({
    queryKey: sampleKey,
    queryFn: ({ signal }) => call<SampleData>('/api/sample', { signal }),
    enabled,
    refetchInterval: ({ state }) => (state.data?.state === 'loading' ? 500 : false),
  });
}

/** Begins to load it. */
export const loadSample = () => callHere<SampleData>('/api/sample', { method: 'POST' });

/** Removes it with its tenant; for whoever is in the tenant to go back to. */
export const removeSample = () => callHere<null>('/api/sample', { method: 'DELETE' });
