import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ApiError } from './error';
import { call } from './http';
import type { Rest } from './rest';

/** The health report of single sign-on, as the contract has it; `certificate` holds nulls without a certificate. */
export type SamlHealth = Rest.SamlHealth;

export const samlHealthKey = ['saml health'] as const;

export const samlHealthOptions = (day: string | null) =>
  queryOptions<SamlHealth, ApiError>({
    queryKey: [...samlHealthKey, day],
    queryFn: ({ signal }) => call<SamlHealth>(`/api/auth/saml/health${day ? `?at=${day}` : ''}`, { signal }),
  });

/** The report of now, or of a future day (`2026-12-14`): the state changes with time alone. */
export function useSamlHealth(day: string | null = null) {
  return useQuery(samlHealthOptions(day));
}
