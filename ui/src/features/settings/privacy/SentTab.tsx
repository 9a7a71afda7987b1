import { Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { useGraphQL } from '@/api';
import {
  Content,
  DataTable,
  Dialog,
  Empty,
  Panel,
  Segmented,
  Status,
  bytes,
  count,
  dateTime,
  dateTimeZone,
  money,
  plural,
  useNow,
  timeWidth,
} from '@/shared';
import type { Column } from '@/shared';
import { Payload, Sent } from './queries';
import type { SentRow } from './queries';

const states = {
  SENT: { word: 'No answer yet', tone: 'info' },
  ANSWERED: { word: 'Answered', tone: 'ok' },
  FAILED: { word: 'Failed', tone: 'bad' },
} as const;

/** The ledger of requests to models: recipient, time, cost and exact text. */
export function SentTab({ account }: { account: string }) {
  const sent = useGraphQL(Sent, { account });
  const now = useNow();
  const [shown, setShown] = useState<'all' | 'left'>('all');
  const [open, setOpen] = useState<SentRow | null>(null);
  const all = sent.data?.ai_list_sent?.data ?? undefined;
  const left = all?.filter((row) => row.left_machine);
  const columns: Column<SentRow>[] = [
    {
      id: 'at',
      header: 'When',
      value: (row) => row.sent_at,
      width: timeWidth,
      cell: (row) => (
        <time className="num" title={row.sent_at}>
          {dateTime(row.sent_at, now)}
        </time>
      ),
    },
    {
      id: 'to',
      header: 'To',
      value: (row) => (row.left_machine ? row.host : ''),
      cell: (row) => (
        <span className="cut" title={row.host}>
          {row.left_machine ? row.host : <span className="muted">Stayed on this machine</span>}
        </span>
      ),
    },
    {
      id: 'model',
      header: 'Model',
      value: (row) => row.model,
      width: 140,
      cell: (row) => (
        <span className="cut mono" title={`${row.model}, ${row.provider}`}>
          {row.model}
        </span>
      ),
    },
    {
      id: 'size',
      header: 'Size',
      kind: 'number',
      width: 80,
      value: (row) => row.size_bytes,
      cell: (row) => bytes(row.size_bytes),
    },
    { id: 'names', header: 'Names', kind: 'number', width: 75, value: (row) => row.replaced_names },
    {
      id: 'tokens',
      header: 'Tokens',
      kind: 'number',
      width: 110,
      value: (row) => row.input_tokens,
      cell: (row) => (row.input_tokens === null ? '–' : `${count(row.input_tokens)} + ${count(row.output_tokens)}`),
    },
    {
      id: 'cost',
      header: 'Cost',
      kind: 'number',
      width: 80,
      value: (row) => row.cost,
      cell: (row) => (row.cost === null ? 'no price' : money(row.cost, null)),
    },
    {
      id: 'state',
      header: 'State',
      value: (row) => row.status,
      width: 120,
      cell: (row) => {
        const state = states[row.status as keyof typeof states];
        return (
          <span title={row.status_reason ?? undefined}>
            <Status tone={state.tone}>{state.word}</Status>
          </span>
        );
      },
    },
  ];
  return (
    <div className="stack">
      <Panel
        label="What was sent"
        title="What was sent"
        meta={
          all && all.length > 0
            ? `${plural(left?.length ?? 0, 'request')} of ${String(all.length)} left this machine`
            : undefined
        }
        actions={
          <Segmented
            label="Which requests"
            value={shown}
            options={[
              { value: 'all', label: 'All' },
              { value: 'left', label: 'Left this machine' },
            ]}
            onChange={setShown}
          />
        }
      >
        <DataTable
          label="What was sent"
          columns={columns}
          rows={shown === 'all' ? all : left}
          error={sent.error}
          retry={sent.refetch}
          rowId={(row) => row.id}
          defaultSort={[{ id: 'at', desc: true }]}
          onOpen={setOpen}
          primary
          empty={
            <Empty
              icon={ScrollText}
              title={all && all.length > 0 ? 'Nothing left this machine' : 'Nothing was sent yet'}
            >
              Every request to a model is recorded here before it is sent: recipient, time and exact text, and
              afterwards tokens and cost.
            </Empty>
          }
        />
      </Panel>
      <p className="small muted">
        The latest 200 requests of the account. Lines stay when their conversation is removed.
      </p>
      {open && (
        <Line
          account={account}
          row={open}
          onClose={() => {
            setOpen(null);
          }}
        />
      )}
    </div>
  );
}

function Line({ account, row, onClose }: { account: string; row: SentRow; onClose: () => void }) {
  const now = useNow();
  const payload = useGraphQL(Payload, { account, id: row.id });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Exact text"
      help={
        <>
          {dateTimeZone(row.sent_at, now)}, {bytes(row.size_bytes)}{' '}
          {row.left_machine ? `to ${row.host}` : 'on this machine'}, {plural(row.replaced_names, 'name')} replaced.{' '}
          {row.status_reason}{' '}
          {row.conversation_id && (
            <Link to="/assistant/conversations" search={{ account, c: row.conversation_id }}>
              Open the conversation
            </Link>
          )}
        </>
      }
    >
      <Content of={payload} what="The text could not be read">
        {({ ai_list_sent: found }) => (
          <pre className="exact" tabIndex={0} aria-label="The request as it was sent">
            {indented(found?.data?.[0]?.payload ?? '')}
          </pre>
        )}
      </Content>
    </Dialog>
  );
}

function indented(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}
