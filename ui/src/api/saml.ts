import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ApiError } from './error';
import { call } from './http';
import type { Rest } from './rest';

/** The health report of single sign-on, as defined by the contract; `certificate` has nulls without a certificate. */
export type SamlHealth = Rest.SamlHealth;

export const samlHealthKey = ['saml health'] as const;

export const samlHealthOptions = (day: string | null) =>
  queryOptions<SamlHealth, ApiError>({
    queryKey: [...samlHealthKey, day],
    queryFn: ({ signal }) => call<SamlHealth>(`/api/auth/saml/health${day ? `?at=${day}` : ''}`, { signal }),
  });

/** The report for today or a future day (`2026-12-14`): the state depends on time only. */
export function useSamlHealth(day: string | null = null) {
  return useQuery(samlHealthOptions(day));
}
