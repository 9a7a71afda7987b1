import { ShieldCheck } from 'lucide-react';
import { DataTable, Empty, SidePanel, Status, dateTime, dateTimeZone, useNow, timeWidth } from '@/shared';
import type { Column } from '@/shared';
import { CopyButton } from '../parts';
import { Difference } from './Difference';
import { useRefusals } from './queries';
import type { Refusal } from './types';

/** Recent refused sign-ins with cause and remedy. */
export function Refusals({ open, onOpen }: { open: string | undefined; onOpen: (id: string | null) => void }) {
  const refusals = useRefusals();
  const now = useNow();
  const columns: Column<Refusal>[] = [
    {
      id: 'title',
      header: 'What happened',
      value: (row) => row.title,
      cell: (row) => (
        <>
          <span className="strong">{row.title}</span>
          {row.test && <span className="tag">test</span>}
          <span className="small muted block cut">{row.message}</span>
        </>
      ),
    },
    {
      id: 'email',
      header: 'Who',
      value: (row) => row.email,
      width: 220,
      cell: (row) => row.email ?? <span className="faint">not known</span>,
    },
    {
      id: 'at',
      header: 'When',
      value: (row) => row.at,
      width: timeWidth,
      cell: (row) => <time title={dateTimeZone(row.at, now)}>{dateTime(row.at, now)}</time>,
    },
    {
      id: 'reference',
      header: 'Reference',
      value: (row) => row.reference,
      width: 140,
      cell: (row) => <span className="mono">{row.reference}</span>,
    },
  ];
  return (
    <DataTable
      label="Refused sign-ins"
      columns={columns}
      rows={refusals.data}
      error={refusals.error}
      retry={refusals.refetch}
      rowId={(row) => row.id}
      rowHeight={46}
      primary
      defaultSort={[{ id: 'at', desc: true }]}
      openId={open ?? null}
      onOpen={(row) => {
        onOpen(row.id);
      }}
      empty={
        <Empty icon={ShieldCheck} title="No refused sign-ins">
          Refused sign-ins appear here with their cause, what to do, and the reference the person saw.
        </Empty>
      }
    />
  );
}

export function RefusalPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const refusal = useRefusals().data?.find((row) => row.id === id);
  const now = useNow();
  if (!refusal) return null;
  return (
    <SidePanel
      key={id}
      label="Refused sign-in"
      head={
        <>
          <Status tone="bad">Refused</Status>
          <h2 className="ttl">{refusal.title}</h2>
        </>
      }
      onClose={onClose}
    >
      <dl className="kv">
        <dt>Who</dt>
        <dd>{refusal.email ?? 'not known'}</dd>
        <dt>When</dt>
        <dd>{dateTimeZone(refusal.at, now)}</dd>
        <dt>Cause</dt>
        <dd className="mono">{refusal.cause}</dd>
        <dt>Reference</dt>
        <dd className="row">
          <span className="mono">{refusal.reference}</span>
          <CopyButton text={refusal.reference} label="reference" iconOnly />
        </dd>
      </dl>
      <section className="sec">
        <h3>The server said</h3>
        <p className="mono">{refusal.message}</p>
        {(refusal.expected !== null || refusal.received !== null) && (
          <Difference expected={refusal.expected} received={refusal.received} />
        )}
      </section>
      {refusal.remedy && (
        <section className="sec">
          <h3>What to do</h3>
          <p>{refusal.remedy}</p>
        </section>
      )}
    </SidePanel>
  );
}
