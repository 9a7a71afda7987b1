import { Link } from '@tanstack/react-router';
import { BellRing } from 'lucide-react';
import { DataTable, Empty, Status, dateTime, useNow } from '@/shared';
import type { Column, Tone } from '@/shared';
import type { Notice } from './queries';
import { subjectTitle, words } from './words';

const tones: Record<string, Tone> = { sent: 'ok', waiting: 'info', failed: 'bad', dropped: 'off' };

/** The notices raised last, and what came of each. */
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
        <span className="cut notice-title" title={row.title}>
          {row.link ? <Link to={row.link}>{row.title}</Link> : row.title}{' '}
          <span className="muted">{subjectTitle(row.subject)}</span>
        </span>
      ),
    },
    {
      id: 'raised',
      header: 'Raised',
      value: (row) => minute(row),
      width: 124,
      cell: (row) => <span className="num muted">{dateTime(row.raised_at, now)}</span>,
    },
    {
      id: 'sent',
      header: 'Sent',
      value: (row) => row.deliveries.map((one) => one.state).join(),
      width: 190,
      cell: (row) =>
        row.deliveries.length === 0 ? (
          <span className="faint">{row.ended_at ? 'over' : 'here only'}</span>
        ) : (
          <span className="row wrap">
            {row.deliveries.map((one) => (
              <span key={one.id} title={one.error ?? undefined}>
                <Status tone={tones[one.state] ?? 'off'}>{one.channel.name}</Status>
                <span className="sr">
                  {one.state} {one.error}
                </span>
              </span>
            ))}
          </span>
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
      defaultSort={[{ id: 'raised', desc: true }]}
      empty={
        <Empty icon={BellRing} title={words.noHistory}>
          {words.noHistoryHelp}
        </Empty>
      }
    />
  );
}

/** When it was raised, as exactly as is shown: of one minute, the title decides. */
function minute({ raised_at: raised }: Notice): string {
  return raised.slice(0, '2026-06-17T12:00'.length);
}
