import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, graphql, keepingUp, request, useGraphQL } from '@/api';
import type { ResultOf, VariablesOf } from '@/api';

/** Addresses that alerts are sent to, never their tokens, and the accounts that events may belong to. */
export const Webhooks = graphql(`
  query SettingsWebhooks {
    webhook_receiver(order_by: [{ created_at: desc }]) {
      id
      name
      received
      received_at
      last_error
      created_at
      revoked_at
      cloud_account {
        id
        account_name
      }
      user {
        display_name
      }
    }
    cloud_accounts(order_by: [{ account_name: asc }]) {
      id
      account_name
    }
  }
`);

export type Webhook = ResultOf<typeof Webhooks>['webhook_receiver'][number];
export type Account = ResultOf<typeof Webhooks>['cloud_accounts'][number];

/** Polled while the page is open, because messages arrive at any time. */
export function useWebhooks() {
  return useGraphQL(Webhooks, {}, keepingUp);
}

const Create = graphql(`
  mutation SettingsCreateWebhook($request: WebhookCreateRequest!) {
    webhook_create(request: $request) {
      id
      name
      token
    }
  }
`);

const Revoke = graphql(`
  mutation SettingsRevokeWebhook($id: uuid!) {
    webhook_revoke(id: $id) {
      id
    }
  }
`);

const Test = graphql(`
  mutation SettingsTestWebhook($id: uuid!) {
    webhook_test(id: $id) {
      created
      updated
    }
  }
`);

export type WebhookDraft = VariablesOf<typeof Create>['request'];
export type NewWebhook = NonNullable<ResultOf<typeof Create>['webhook_create']>;

/** Returns the token, which is kept only in the page that shows it. */
export function useCreateWebhook() {
  const client = useQueryClient();
  return useMutation<NewWebhook, ApiError, WebhookDraft>({
    mutationFn: async (draft) => {
      const made = (await request(Create, { request: draft })).webhook_create;
      if (!made) throw new ApiError('graphql', 'The response contains no address.', 200, '/api/graphql');
      return made;
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['graphql'] }),
    gcTime: 0,
  });
}

export function useRevokeWebhook() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string>({
    mutationFn: (id) => request(Revoke, { id }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['graphql'] }),
  });
}

export function useTestWebhook() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string>({
    mutationFn: (id) => request(Test, { id }),
    // A refused test leaves its reason in the list.
    onSettled: () => client.invalidateQueries({ queryKey: ['graphql'] }),
  });
}
