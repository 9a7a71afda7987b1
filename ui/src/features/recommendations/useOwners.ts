import { useMemo } from 'react';
import { useGraphQL } from '@/api';
import { Assignments, People } from './queries';
import type { Owner } from './row';

/** Who is on which recommendation, by its id. Roles that may not list people see that somebody is on it, not who. */
export function useOwners(): ReadonlyMap<string, Owner> {
  const assignments = useGraphQL(Assignments, {}).data?.recommendation_assignment;
  const people = useGraphQL(People, {}).data?.users;
  return useMemo(() => {
    const names = new Map(people?.map(({ id, display_name: name }) => [id, name]));
    return new Map(
      assignments?.map(({ recommendation_id: of, user_id: id }) => [of, { id, name: names.get(id) ?? 'Somebody' }]),
    );
  }, [assignments, people]);
}
