import { useQuery } from '@tanstack/react-query';
import { checkInstance, instancesKey } from '@/api';
import type { ApiError, Look } from '@/api';

/** How an instance was found just now; asked again when somebody wants to know. */
export function useLook(id: string) {
  return useQuery<Look, ApiError>({
    queryKey: ['instance look', id],
    queryFn: async ({ client }) => {
      const look = await checkInstance(id);
      // Version and time of the last answer stand in the list.
      void client.invalidateQueries({ queryKey: instancesKey });
      return look;
    },
    staleTime: 30_000,
  });
}
