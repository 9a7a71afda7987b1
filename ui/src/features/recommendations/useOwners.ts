import { useMemo } from 'react';
import { useGraphQL } from '@/api';
import { Assignments, People } from './queries';
import type { Owner } from './row';

/** The owners of recommendations, by recommendation id. Roles that may not list people see that there is an owner, but not who. */
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
