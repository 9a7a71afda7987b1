import { useMutation, useQueryClient } from '@tanstack/react-query';
import { graphql, request, useGraphQL } from '@/api';
import type { ApiError, ResultOf, VariablesOf } from '@/api';
import { useNow } from '@/shared';

/** Channels without secrets, maintenance windows, and the latest notices. */
export const Notifications = graphql(`
  query SettingsNotifications {
    notice_channel(where: { removed_at: { _is_null: true } }, order_by: { name: asc }) {
      id
      name
      kind
      target
      settings
      is_active
      subjects
      quiet_from
      quiet_until
      last_sent_at
      last_error
    }
    notice_window(order_by: { name: asc }) {
      id
      name
      days
      starts_at
      minutes
      is_active
    }
    notice(order_by: [{ raised_at: desc }, { title: asc }], limit: 50) {
      id
      subject
      severity
      title
      link
      raised_at
      ended_at
      deliveries {
        id
        state
        sent_at
        due_at
        error
        channel {
          name
        }
      }
    }
  }
`);

type NotificationsResult = ResultOf<typeof Notifications>;
export type Channel = NotificationsResult['notice_channel'][number];
export type Window = NotificationsResult['notice_window'][number];
export type Notice = NotificationsResult['notice'][number];

/** Polling interval while a message is being sent, ms. */
const again = 3000;

export function useNotifications() {
  const found = useGraphQL(Notifications, {});
  const now = useNow().getTime();
  const isOnItsWay = found.data?.notice.some((notice) =>
    notice.deliveries.some((one) => one.state === 'waiting' && Date.parse(`${one.due_at}`) < now + 120_000),
  );
  return useGraphQL(Notifications, {}, { refetchInterval: isOnItsWay ? again : false });
}

const Save = graphql(`
  mutation SettingsSaveChannel($object: NoticeChannelInput!) {
    notice_channel_save(object: $object) {
      id
    }
  }
`);

const Test = graphql(`
  mutation SettingsTestChannel($object: NoticeChannelInput!) {
    notice_channel_test(object: $object) {
      success
      error
    }
  }
`);

const Remove = graphql(`
  mutation SettingsRemoveChannel($id: uuid!, $restore: Boolean!) {
    notice_channel_remove(id: $id, restore: $restore) {
      id
    }
  }
`);

const PutWindow = graphql(`
  mutation SettingsPutWindow($object: notice_window_insert_input!) {
    insert_notice_window_one(
      object: $object
      on_conflict: {
        constraint: notice_window_pkey
        update_columns: [name, days, starts_at, minutes, is_active, updated_at]
      }
    ) {
      id
    }
  }
`);

const DeleteWindow = graphql(`
  mutation SettingsDeleteWindow($id: uuid!) {
    delete_notice_window_by_pk(id: $id) {
      id
    }
  }
`);

export type ChannelInput = VariablesOf<typeof Save>['object'];
export type ChannelTestResult = ResultOf<typeof Test>['notice_channel_test'];
export type WindowInput = VariablesOf<typeof PutWindow>['object'];

/** Adds or edits a channel. A typed secret is not stored in the page. */
export function useSaveChannel() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, ChannelInput>({
    mutationFn: (object) => request(Save, { object }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['graphql', Notifications] }),
    gcTime: 0,
  });
}

/** Sends a test message. */
export function useTestChannel() {
  return useMutation<ChannelTestResult, ApiError, ChannelInput>({
    mutationFn: async (object) => (await request(Test, { object })).notice_channel_test,
    gcTime: 0,
  });
}

/** Removes a channel, or puts it back. */
export function useRemoveChannel() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, { id: string; restore: boolean }>({
    mutationFn: (variables) => request(Remove, variables),
    onSuccess: () => client.invalidateQueries({ queryKey: ['graphql', Notifications] }),
  });
}

export function usePutWindow() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, WindowInput>({
    mutationFn: (object) => request(PutWindow, { object }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['graphql', Notifications] }),
  });
}

export function useDeleteWindow() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string>({
    mutationFn: (id) => request(DeleteWindow, { id }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['graphql', Notifications] }),
  });
}
