import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiError, OfAnyVersion, Rest } from '@/api';
import { call, keepingUp } from '@/api';

/** A desktop program that was approved. Times are ISO 8601, UTC. */
export type DeviceRow = OfAnyVersion<Rest.DeviceRow, 'tenant'>;

/** All desktops of the tenant for administrators, else the user's own in every tenant; recently ended ones included. */
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
