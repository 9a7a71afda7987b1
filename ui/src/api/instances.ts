import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { instanceInFront } from '@/shared/place';
import { ApiError } from './error';
import { callHere, sendHere } from './http';

/** A certificate, as the service tells of it. */
export interface CertificateShown {
  subject: string;
  issuer: string;
  fingerprint_sha256: string;
  not_before: string;
  not_after: string;
  days_left: number;
  state: 'healthy' | 'warning' | 'error' | 'not_yet_valid';
}

/** A Quarterdeck elsewhere. Times are ISO 8601, UTC. */
export interface Instance {
  id: string;
  name: string;
  colour: string;
  address: string;
  own_authorities: CertificateShown[];
  /** Without name and password. */
  proxy: string | null;
  /** Whether those are kept; an older service does not say. */
  proxy_signs_in?: boolean;
  plain_accepted: boolean;
  keeps_copies: boolean;
  /** Where the key to it is; null while signed out. */
  kept_in: 'keyring' | 'file' | 'run' | null;
  email: string | null;
  tenant: string | null;
  version: string | null;
  seen_at: string | null;
  copy_bytes: number;
  copy_of: string | null;
}

export interface Instances {
  /** This computer; where its data is, an older service does not say. */
  here: { address: string; version: string; data_dir?: string };
  instances: Instance[];
  /** The file of keys: none yet, locked, or open. */
  file: 'none' | 'locked' | 'open';
  colours: string[];
}

/** What was found at an address. */
export interface Look {
  address: string;
  encrypted: boolean;
  certificates: CertificateShown[];
  took: number;
  checked_at: string;
  version?: string;
  saml?: boolean;
  trouble?: string;
  message?: string;
}

export const instancesKey = ['instances'] as const;

export const instancesOptions = queryOptions<Instances | null, ApiError>({
  queryKey: instancesKey,
  staleTime: 30_000,
  queryFn: async ({ signal }) => {
    try {
      return await callHere<Instances>('/api/instances', { signal });
    } catch (error) {
      if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return null;
      throw error;
    }
  },
});

/** All instances this computer knows; null where others are not used from: on a server, or as another user. */
export function useInstances() {
  return useQuery(instancesOptions);
}

/** The instance in front, when it is elsewhere. */
export function useInstanceInFront(): Instance | undefined {
  return useInstances().data?.instances.find(({ id }) => id === instanceInFront);
}

/** Changes something about instances and reads them again. */
export function useInstanceChange<Variables, Answer = null>(change: (variables: Variables) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation<Answer, ApiError, Variables>({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: instancesKey }),
  });
}

export const lookAt = (place: { address: string; authorities?: string; proxy?: string; plain_accepted?: boolean }) =>
  sendHere<Look>('POST', '/api/instances/look', place);

export const checkInstance = (id: string) => sendHere<Look>('POST', `/api/instances/${id}/check`, {});
