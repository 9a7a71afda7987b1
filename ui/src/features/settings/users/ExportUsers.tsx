import { host } from '@/host';
import { ExportMenu } from '@/shared';
import { columnCount, lines } from './export';
import type { LinkedAccount } from './linked';
import type { Everybody, Person } from './queries';

/** Exports the listed users. */
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
  const table = () => {
    const [head, ...body] = lines(rows, people, seen, accounts, now);
    return { name: 'Users', columns: head.map((name) => ({ name })), rows: body };
  };
  return (
    <ExportMenu
      name="users"
      file="users"
      table={table}
      many={rows.length}
      columns={columnCount}
      save={(file, content, type) => host.saveFile(file, content, type)}
    />
  );
}
