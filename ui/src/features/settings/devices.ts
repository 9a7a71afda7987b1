import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiError } from '@/api';
import { call, keepingUp } from '@/api';

/** A desktop program that was let in. Times are ISO 8601, UTC. */
export interface DeviceRow {
  id: string;
  name: string;
  /** Its system and version, as it says. */
  platform: string | null;
  kept_in: 'keyring' | 'file' | 'run' | null;
  address: string | null;
  created_at: string;
  seen_at: string;
  expires_at: string;
  revoked_at: string | null;
  /** A person, the device itself, or a key that was used twice. */
  revoked_by: 'person' | 'device' | 'reuse' | null;
  /** Where it was let in; not told by an instance of an older version. */
  tenant?: string;
  user: { id: string; email: string; name: string };
}

/** Everyone's of the tenant for administrators, else one's own in every tenant; those that ended lately too. */
export function useDevices(everyone: boolean) {
  return useQuery<DeviceRow[], ApiError>({
    queryKey: ['devices', everyone],
    queryFn: ({ signal }) => call<DeviceRow[]>(`/api/auth/devices${everyone ? '?of=everyone' : ''}`, { signal }),
    ...keepingUp,
  });
}

export function useRevokeDevice() {
  const client = useQueryClient();
  return useMutation<null, ApiError, string>({
    mutationFn: (id) => call<null>(`/api/auth/devices/${id}`, { method: 'DELETE' }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['devices'] });
      void client.invalidateQueries({ queryKey: ['security log'] });
    },
  });
}
