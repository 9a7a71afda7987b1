import { Monitor, Server } from 'lucide-react';
import type { Instance, Instances } from '@/api';
import { DataTable, Empty, Status, age, date, dateOf, useNow, dayRoom } from '@/shared';
import type { Column } from '@/shared';
import { instanceInFront } from '@/shared/place';
import { useLook } from './look';
import { standing, validity, versionNote } from './standing';

const thisComputer = 'this-computer';

interface Row {
  id: string;
  instance: Instance | null;
}

/** This computer and the instances elsewhere, each with how it was found. */
export function InstanceTable({
  instances,
  here,
  isSlim,
  onOpen,
}: {
  instances: readonly Instance[];
  here: Instances['here'];
  /** Next to an open panel, which shows the certificate. */
  isSlim: boolean;
  onOpen: (id: string) => void;
}) {
  const now = useNow();
  const rows: Row[] = [
    { id: thisComputer, instance: null },
    ...instances.map((one) => ({ id: one.id, instance: one })),
  ];
  const columns: Column<Row>[] = [
    {
      id: 'name',
      header: 'Instance',
      sortable: false,
      value: ({ instance }) => instance?.name ?? 'This computer',
      cell: ({ instance }) => (
        <span className="row who">
          {instance ? <span className={`dot inst-${instance.colour}`} /> : <Monitor className="i" />}
          <span className="cut">
            {instance?.name ?? 'This computer'}{' '}
            {(instance?.id ?? null) === instanceInFront && <span className="badge acc">Current</span>}
            <span className="small muted block cut" title={instance?.address ?? here.address}>
              {instance?.address ?? here.address}
            </span>
          </span>
        </span>
      ),
    },
    {
      id: 'state',
      header: 'Reachable',
      sortable: false,
      width: 130,
      least: 118,
      value: () => null,
      cell: ({ instance }) => (instance ? <State instance={instance} /> : <Status tone="ok">Running</Status>),
    },
    {
      id: 'version',
      header: 'Version',
      sortable: false,
      width: 110,
      least: 72,
      value: ({ instance }) => instance?.version ?? here.version,
      cell: ({ instance }) => (
        <span>
          {instance ? (instance.version ?? '–') : here.version}
          <span className="small muted block">{versionNote(instance?.version, here.version) ?? ''}</span>
        </span>
      ),
    },
    ...(isSlim ? [] : [certificate]),
    {
      id: 'seen',
      header: 'Last seen',
      sortable: false,
      ...dayRoom(
        instances.map((one) => one.seen_at),
        now,
      ),
      value: ({ instance }) => instance?.seen_at ?? null,
      cell: ({ instance }) => (
        <span className="num">{instance ? (instance.seen_at ? age(instance.seen_at, now) : '–') : 'now'}</span>
      ),
    },
  ];
  return (
    <DataTable
      label="Instances"
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
      rowHeight={46}
      onOpen={({ id }) => {
        if (id !== thisComputer) onOpen(id);
      }}
      empty={<Empty icon={Server} title="No instance" />}
    />
  );
}

const certificate: Column<Row> = {
  id: 'certificate',
  header: 'Certificate until',
  sortable: false,
  width: 150,
  value: () => null,
  cell: ({ instance }) => (instance ? <Until instance={instance} /> : <span className="muted">Not needed</span>),
};

function Until({ instance }: { instance: Instance }) {
  const now = useNow();
  const shown = useLook(instance.id).data;
  const [first] = shown?.certificates ?? [];
  if (!shown || (shown.encrypted && !first)) return <span className="muted">–</span>;
  if (!first) return <Status tone="warn">Not encrypted</Status>;
  const { tone, note } = validity(first, instance.own_authorities.length > 0);
  return (
    <span>
      <Status tone={tone}>{date(first.not_after, now)}</Status>
      <span className="small muted block">{note}</span>
    </span>
  );
}

function State({ instance }: { instance: Instance }) {
  const now = useNow();
  const look = useLook(instance.id).data;
  const { tone, word } = standing(look, instance.kept_in);
  const seen = tone === 'off' && instance.seen_at ? `last seen ${dateOf(instance.seen_at, now)}` : '';
  return (
    <span>
      <Status tone={tone}>{word}</Status>
      <span className="small muted block">{look && !look.trouble ? `${String(look.took)} ms` : seen}</span>
    </span>
  );
}
