import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { DataTable, Empty, SearchBox, Select, dateTime, useNow, timeWidth } from '@/shared';
import type { Column } from '@/shared';
import { kindNames, useSecurityLog } from '../log';
import type { LogLine } from '../log';

/** Sign-ins, refusals with their cause, role changes and setting changes, with user and time. */
export function AuditTab() {
  const log = useSecurityLog(500);
  const now = useNow();
  const [search, setSearch] = useState('');
  const [kind, setKind] = useState('all');
  const wanted = search.toLowerCase();
  const rows = log.data?.filter(
    (line) =>
      (kind === 'all' || kindNames[line.kind] === kind) &&
      [line.text, line.who, line.about, line.cause].some((text) => text?.toLowerCase().includes(wanted)),
  );
  const columns: Column<LogLine>[] = [
    {
      id: 'at',
      header: 'When',
      value: (row) => row.at,
      width: timeWidth,
      cell: (row) => (
        <time className="num" title={row.at}>
          {dateTime(row.at, now)}
        </time>
      ),
    },
    { id: 'kind', header: 'What', value: (row) => kindNames[row.kind] ?? row.kind, width: 170 },
    {
      id: 'text',
      header: 'Entry',
      value: (row) => row.text,
      cell: (row) => (
        <span className="cut" title={row.text}>
          {row.text}
        </span>
      ),
    },
    { id: 'who', header: 'Who', value: (row) => row.who, width: 200 },
    {
      id: 'cause',
      header: 'Cause',
      value: (row) => row.cause,
      width: 150,
      cell: (row) => (row.cause ? <span className="mono">{row.cause}</span> : <span className="faint">–</span>),
    },
  ];
  return (
    <>
      <div className="bar">
        <Select
          label="What"
          value={kind}
          options={[
            { value: 'all', label: 'All' },
            ...[...new Set(Object.values(kindNames))].map((name) => ({ value: name, label: name })),
          ]}
          onChange={setKind}
        />
        <SearchBox label="Filter the trail" value={search} onChange={setSearch} />
      </div>
      <DataTable
        label="Audit trail"
        columns={columns}
        rows={rows}
        error={log.error}
        retry={log.refetch}
        rowId={(row) => row.id}
        primary
        defaultSort={[{ id: 'at', desc: true }]}
        empty={
          <Empty icon={ScrollText} title={log.data?.length === 0 ? 'No entries yet' : 'Nothing matches'}>
            Sign-ins, refusals, changes of roles and settings appear here with who and when.
          </Empty>
        }
      />
    </>
  );
}
