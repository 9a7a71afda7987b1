import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiError, OfAnyVersion, Rest } from '@/api';
import { call, keepingUp, leaveSession } from '@/api';

/** A browser that is signed in. Times are ISO 8601, UTC. */
export type SessionRow = OfAnyVersion<Rest.SessionRow, 'tenant'>;

/** Everyone's of the tenant for administrators, else one's own in every tenant. */
export function useSessions(everyone: boolean, enabled = true) {
  return useQuery<SessionRow[], ApiError>({
    queryKey: ['sessions', everyone],
    enabled,
    queryFn: ({ signal }) => call<SessionRow[]>(`/api/auth/sessions${everyone ? '?of=everyone' : ''}`, { signal }),
    ...keepingUp,
  });
}

export function useEndSession() {
  const client = useQueryClient();
  return useMutation<null, ApiError, Pick<SessionRow, 'id' | 'current'>>({
    mutationFn: ({ id }) => call<null>(`/api/auth/sessions/${id}`, { method: 'DELETE' }),
    onSuccess: (_, { current }) => {
      if (current) leaveSession(client);
      void client.invalidateQueries({ queryKey: ['sessions'] });
      void client.invalidateQueries({ queryKey: ['security log'] });
    },
  });
}

export function useSignOutEverywhere() {
  const client = useQueryClient();
  return useMutation<null, ApiError>({
    mutationFn: () => call<null>('/api/auth/sign-out-everywhere', { method: 'POST' }),
    onSuccess: () => {
      leaveSession(client);
    },
  });
}
