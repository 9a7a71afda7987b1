import { Download } from 'lucide-react';
import { host } from '@/host';
import { Button, count, csv, useCommands } from '@/shared';
import { lines } from './export';
import type { LinkedAccount } from './linked';
import type { Everybody, Person } from './queries';

/** Saves the people who are listed. */
export function ExportUsers({
  rows,
  people,
  seen,
  accounts,
  now,
}: {
  rows: readonly Person[];
  people: Everybody;
  seen: ReadonlyMap<string, string>;
  accounts: ReadonlyMap<string, LinkedAccount[]>;
  now: Date;
}) {
  const save = () => {
    const [head, ...body] = lines(rows, people, seen, accounts, now);
    void host.saveFile('users.csv', csv(head, body), 'text/csv');
  };
  useCommands([{ id: 'export users', title: 'Export users', group: 'Do', keys: 'shift+e', icon: Download, run: save }]);
  return (
    <Button onClick={save} title={`CSV, ${count(rows.length)} rows, current filters`}>
      <Download className="i" />
      Export
    </Button>
  );
}
