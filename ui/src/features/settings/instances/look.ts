import { useQuery } from '@tanstack/react-query';
import { checkInstance } from '@/api';
import type { ApiError, Look } from '@/api';

/** How an instance was found just now; asked again when somebody wants to know. */
export function useLook(id: string) {
  return useQuery<Look, ApiError>({
    queryKey: ['instance look', id],
    queryFn: () => checkInstance(id),
    staleTime: 30_000,
  });
}
