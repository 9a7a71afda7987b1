import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { request } from './client';
import type { ApiError } from './error';
import type { Document } from './graphql';

export interface GraphQLOptions {
  enabled?: boolean;
  /** Refetch interval in milliseconds, for data that changes on its own. */
  refetchInterval?: number | false;
  /** Refetch when the user returns to the window. */
  refetchOnWindowFocus?: 'always';
}

/** Options for `queryClient.fetchQuery` and `useQueries`; the key is the text of the query and its variables. */
export function graphqlOptions<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables,
  options: GraphQLOptions = {},
) {
  return queryOptions<Result, ApiError>({
    queryKey: ['graphql', document, variables],
    queryFn: ({ signal }) => request(document, variables, signal),
    placeholderData: keepPreviousData,
    ...options,
  });
}

/** Runs a query; the last result stays while variables change (`isPlaceholderData`). Imports invalidate every result. */
export function useGraphQL<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables,
  options: GraphQLOptions = {},
): UseQueryResult<Result, ApiError> {
  return useQuery(graphqlOptions(document, variables, options));
}
