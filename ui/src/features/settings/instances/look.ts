import { useQuery } from '@tanstack/react-query';
import { checkInstance, instancesKey } from '@/api';
import type { ApiError, Look } from '@/api';

/** The current connection state of an instance; checked again on request. */
export function useLook(id: string) {
  return useQuery<Look, ApiError>({
    queryKey: ['instance look', id],
    queryFn: async ({ client }) => {
      const look = await checkInstance(id);
      // Version and time of the last response are shown in the list.
      void client.invalidateQueries({ queryKey: instancesKey });
      return look;
    },
    staleTime: 30_000,
  });
}
