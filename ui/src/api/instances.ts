import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { instanceInFront } from '@/shared/place';
import { ApiError } from './error';
import { callHere, sendHere } from './http';
import type { OfAnyVersion, Rest } from './rest';
import { sessionKey } from './session';
import type { Session } from './session';

/** A certificate as reported by the service. */
export type CertificateShown = Omit<Rest.Certificate, 'key' | 'signature' | 'self_signed' | 'pem'>;

/** A Quarterdeck elsewhere. Times are ISO 8601, UTC. */
export type Instance = OfAnyVersion<Omit<Rest.Instance, 'sign_in'>, 'proxy_signs_in'>;

export type Instances = Omit<Rest.InstanceList, 'here' | 'instances'> & {
  here: OfAnyVersion<Rest.ThisComputer, 'data_dir'>;
  instances: Instance[];
};

/** The result of checking an address. */
export type Look = Rest.InstanceLook;

export const instancesKey = ['instances'] as const;

/** Whether the service refused access to other instances for this user. A remote instance is accessed from here already. */
function isRefused(session: Session | null | undefined): boolean {
  return instanceInFront === null && session?.uses_instances === false;
}

export const instancesOptions = queryOptions<Instances | null, ApiError>({
  queryKey: instancesKey,
  staleTime: 30_000,
  queryFn: async ({ signal, client }) => {
    // Asking all the same would leave a refusal in the console of the browser, and in the log, with every page.
    if (isRefused(client.getQueryData<Session | null>(sessionKey))) return null;
    try {
      return await callHere<Instances>('/api/instances', { signal });
    } catch (error) {
      if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return null;
      throw error;
    }
  },
});

/** All instances known to this computer; null if other instances are not available: on a server, or for other users. */
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
