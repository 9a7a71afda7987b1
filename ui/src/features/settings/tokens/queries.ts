import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, graphql, request } from '@/api';
import type { ResultOf } from '@/api';

/** The user's own tokens; those of others are not visible. */
export const Tokens = graphql(`
  query SettingsTokens {
    users_list_token {
      tokens {
        id
        name
        status
        created_at
        accessed_at
      }
    }
  }
`);

export type TokenRow = NonNullable<
  NonNullable<NonNullable<ResultOf<typeof Tokens>['users_list_token']>['tokens']>[number]
>;

const Create = graphql(`
  mutation SettingsCreateToken($name: String!) {
    users_create_token(user: { name: $name }) {
      name
      token
    }
  }
`);

const Delete = graphql(`
  mutation SettingsDeleteToken($name: String!) {
    users_delete_token(user: { name: $name }) {
      name
    }
  }
`);

/** Returns the secret, which is kept only in the page that shows it. */
export function useCreateToken() {
  const client = useQueryClient();
  return useMutation<{ name: string; token: string }, ApiError, string>({
    mutationFn: async (name) => {
      const made = (await request(Create, { name })).users_create_token;
      if (!made) throw new ApiError('graphql', 'The response contains no token.', 200, '/api/graphql');
      return made;
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['graphql', Tokens] }),
    gcTime: 0,
  });
}

export function useRevokeToken() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string>({
    mutationFn: (name) => request(Delete, { name }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['graphql', Tokens] });
      void client.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
}
