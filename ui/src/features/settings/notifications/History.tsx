import { Link } from '@tanstack/react-router';
import { BellRing } from 'lucide-react';
import { DataTable, Empty, Status, dateTime, useNow, timeRoom } from '@/shared';
import type { Column, Tone } from '@/shared';
import type { Notice } from './queries';
import { subjectTitle, words } from './words';

const tones: Record<string, Tone> = { sent: 'ok', waiting: 'info', failed: 'bad', dropped: 'off' };

type Delivery = Notice['deliveries'][number];

/** The latest notices with their deliveries. */
export function History({
  rows,
  error,
  retry,
}: {
  rows: readonly Notice[] | undefined;
  error: Error | null;
  retry: () => unknown;
}) {
  const now = useNow();
  const columns: Column<Notice>[] = [
    {
      id: 'title',
      header: 'Notice',
      value: (row) => row.title,
      cell: (row) => (
        <div className="wrapped">
          {row.link ? <Link to={row.link}>{row.title}</Link> : row.title}
          <div className="small muted">{subjectTitle(row.subject)}</div>
        </div>
      ),
    },
    {
      id: 'raised',
      header: 'Raised',
      value: (row) => minute(row),
      ...timeRoom(
        rows?.map((row) => row.raised_at),
        now,
      ),
      cell: (row) => <span className="num muted">{dateTime(row.raised_at, now)}</span>,
    },
    {
      id: 'sent',
      header: 'Sent',
      value: (row) => row.deliveries.map((one) => one.state).join(),
      width: 176,
      cell: (row) =>
        row.deliveries.length === 0 ? (
          <span className="faint">{row.ended_at ? words.over : words.notSent}</span>
        ) : (
          row.deliveries.map((one) => <Came key={one.id} of={one} />)
        ),
    },
  ];
  return (
    <DataTable
      label={words.history}
      columns={columns}
      rows={rows?.toSorted((a, b) => minute(b).localeCompare(minute(a)) || a.title.localeCompare(b.title))}
      error={error}
      retry={retry}
      rowId={(row) => row.id}
      rowHeight={46}
      defaultSort={[{ id: 'raised', desc: true }]}
      empty={
        <Empty icon={BellRing} title={words.noHistory}>
          {words.noHistoryHelp}
        </Empty>
      }
    />
  );
}

/** The result of a delivery: the channel, and the error if it failed. */
function Came({ of: { channel, state, error } }: { of: Delivery }) {
  const isTriedAgain = state === 'waiting' && error !== null;
  return (
    <div className="wrapped">
      <Status tone={isTriedAgain ? 'warn' : (tones[state] ?? 'off')}>{channel.name}</Status>
      <div className="small muted">
        {isTriedAgain ? words.triedAgain : words.states[state]}
        {error !== null && `: ${error}`}
      </div>
    </div>
  );
}

/** When it was raised, as exactly as is shown: of one minute, the title decides. */
function minute({ raised_at: raised }: Notice): string {
  return raised.slice(0, '2026-06-17T12:00'.length);
}
