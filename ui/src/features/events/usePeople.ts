import { useMemo } from 'react';
import { useGraphQL } from '@/api';
import { EventPeople } from './queries';

/** Names of the people of the tenant by id, as far as this user may see them. */
export function usePeople(): ReadonlyMap<string, string> {
  const found = useGraphQL(EventPeople, {}).data?.users;
  return useMemo(() => new Map(found?.map(({ id, display_name: name }) => [id, name])), [found]);
}
