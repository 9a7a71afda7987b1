import { Webhook as WebhookIcon } from 'lucide-react';
import { Button, DataTable, Empty, Status, count, dateTime, toast, useNow, timeRoom } from '@/shared';
import type { Column } from '@/shared';
import { useTestWebhook } from './queries';
import type { Webhook } from './queries';
import { texts } from './words';

/** The webhooks with their last deliveries; each row has test and revoke. */
export function WebhookTable({
  rows,
  error,
  retry,
  reason,
  onRevoke,
}: {
  rows: Webhook[] | undefined;
  error: Error | null;
  retry: () => unknown;
  /** Why nothing can be changed. */
  reason: string | undefined;
  onRevoke: (webhook: Webhook) => void;
}) {
  const now = useNow();
  const columns: Column<Webhook>[] = [
    {
      id: 'name',
      header: 'Name',
      value: (row) => row.name,
      cell: (row) => (
        <>
          <div className="cut strong">{row.name}</div>
          <div className="cut small muted">Account {row.cloud_account.account_name}</div>
          {row.last_error !== null && row.revoked_at === null && (
            <div className="small muted wrapped">{row.last_error}</div>
          )}
        </>
      ),
    },
    {
      id: 'received',
      header: 'Messages',
      kind: 'number',
      value: (row) => row.received,
      width: 92,
      cell: (row) => count(row.received),
    },
    {
      id: 'last',
      header: 'Last delivery',
      value: (row) => row.received_at,
      ...timeRoom(
        rows?.map((row) => row.received_at),
        now,
      ),
      cell: (row) => (
        <span className="num">
          {row.received_at ? dateTime(row.received_at, now) : <span className="faint">never</span>}
        </span>
      ),
    },
    { id: 'state', header: 'State', value: stateOf, width: 124, cell: (row) => <State webhook={row} /> },
    {
      id: 'actions',
      header: 'Actions',
      hideHeader: true,
      sortable: false,
      value: () => null,
      width: 158,
      cell: (row) =>
        row.revoked_at === null && (
          <span className="row">
            <TestButton webhook={row} reason={reason} />
            <Button
              size="small"
              aria-label={`Revoke ${row.name}`}
              reason={reason}
              onClick={() => {
                onRevoke(row);
              }}
            >
              Revoke…
            </Button>
          </span>
        ),
    },
  ];
  return (
    <DataTable
      label="Webhooks"
      columns={columns}
      rows={rows}
      error={error}
      retry={retry}
      rowId={(row) => row.id}
      rowHeight={46}
      primary
      empty={
        <Empty icon={WebhookIcon} title={texts.empty.title}>
          {texts.empty.text}
        </Empty>
      }
    />
  );
}

function stateOf(row: Webhook): string {
  if (row.revoked_at !== null) return 'Revoked';
  if (row.last_error !== null) return 'Last rejected';
  return row.received_at === null ? 'Waiting' : 'Receiving';
}

function State({ webhook }: { webhook: Webhook }) {
  const state = stateOf(webhook);
  const tones = { Revoked: 'off', 'Last rejected': 'bad', Waiting: 'info', Receiving: 'ok' } as const;
  return <Status tone={tones[state as keyof typeof tones]}>{state}</Status>;
}

function TestButton({ webhook, reason }: { webhook: Webhook; reason: string | undefined }) {
  const test = useTestWebhook();
  return (
    <Button
      size="small"
      aria-label={`Test ${webhook.name}`}
      busy={test.isPending && 'Testing'}
      reason={reason}
      onClick={() => {
        test.mutate(webhook.id, {
          onSuccess: () => {
            toast({ tone: 'ok', text: `${webhook.name} received a test alert: an event was opened and closed` });
          },
          onError: (error) => {
            toast({ tone: 'bad', text: `The test of ${webhook.name} failed: ${error.message}` });
          },
        });
      }}
    >
      Test
    </Button>
  );
}
