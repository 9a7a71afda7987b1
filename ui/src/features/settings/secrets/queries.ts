import { useMutation, useQueryClient } from '@tanstack/react-query';
import { graphql, request, useGraphQL } from '@/api';
import type { ApiError, ResultOf, VariablesOf } from '@/api';

/** Secrets of workflows, never their values. */
export const Secrets = graphql(`
  query SettingsSecrets {
    workflow_list_secrets {
      secrets {
        id
        name
        is_sealed
        hosts
        updated_at
        updated_by
      }
    }
  }
`);

export type Secret = NonNullable<ResultOf<typeof Secrets>['workflow_list_secrets']>['secrets'][number];

export function useSecrets() {
  return useGraphQL(Secrets, {});
}

const Save = graphql(`
  mutation SettingsSaveSecret($request: WorkflowSecretSaveRequest!) {
    workflow_save_secret(request: $request) {
      id
      name
    }
  }
`);

const Remove = graphql(`
  mutation SettingsRemoveSecret($request: WorkflowSecretDeleteRequest!) {
    workflow_delete_secret(request: $request) {
      name
    }
  }
`);

export type SecretRequest = VariablesOf<typeof Save>['request'];

/** A typed secret is removed from the page once it is saved. */
export function useSaveSecret() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, SecretRequest>({
    mutationFn: (secret) => request(Save, { request: secret }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['graphql'] }),
    gcTime: 0,
  });
}

export function useRemoveSecret() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string>({
    mutationFn: (name) => request(Remove, { request: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['graphql'] }),
  });
}
