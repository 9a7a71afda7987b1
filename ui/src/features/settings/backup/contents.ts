import type { ComparedPreview } from './queries';

/** Tables grouped under user-visible names, in display order. */
const kinds: readonly { name: string; tables: readonly string[] }[] = [
  { name: 'Cost rows', tables: ['spends'] },
  { name: 'Recommendations', tables: ['recommendation', 'recommendations'] },
  { name: 'Events', tables: ['events'] },
  { name: 'Resources', tables: ['cloud_resourses'] },
  { name: 'Accounts', tables: ['cloud_accounts'] },
  { name: 'Imports', tables: ['imports'] },
  { name: 'Audit trail entries', tables: ['audit_trail'] },
  { name: 'Users', tables: ['users'] },
  { name: 'Settings', tables: ['setting'] },
];

export interface Line {
  name: string;
  now: number;
  then: number;
}

/** Rows by group; tables without a group are summed in one line at the end. Empty groups are dropped. */
export function linesOf(rows: ComparedPreview['rows']): Line[] {
  const add = (name: string, found: ComparedPreview['rows']) => ({
    name,
    now: found.reduce((sum, row) => sum + row.now, 0),
    then: found.reduce((sum, row) => sum + row.then, 0),
  });
  const known = new Set(kinds.flatMap((kind) => kind.tables));
  return [
    ...kinds.map(({ name, tables }) =>
      add(
        name,
        rows.filter((row) => tables.includes(row.table)),
      ),
    ),
    add(
      'Everything else',
      rows.filter((row) => !known.has(row.table)),
    ),
  ].filter((line) => line.now > 0 || line.then > 0);
}

/** Rows of one database by group, named groups first. */
export function kindsOf(tables: { table: string; rows: number }[]): { name: string; rows: number }[] {
  const lines = linesOf(tables.map(({ table, rows }) => ({ table, now: rows, then: 0 })));
  return lines.map(({ name, now }) => ({ name, rows: now }));
}

/** What a restore would undo, in words; empty if nothing has happened since. */
export function lossesOf({ imports, import_count, changes, security_events }: ComparedPreview['since']): string[] {
  const more = import_count - imports.length;
  const files =
    more > 0 ? `${imports.slice(0, 3).join(', ')} and ${String(import_count - 3)} more` : imports.join(', ');
  return [
    ...(import_count > 0
      ? [`${String(import_count)} ${import_count === 1 ? 'import' : 'imports'}: ${files}. Import again afterwards`]
      : []),
    ...(changes > 0 ? [`${String(changes)} ${changes === 1 ? 'change' : 'changes'} people made`] : []),
    ...(security_events > 0
      ? [
          `${String(security_events)} ${security_events === 1 ? 'line' : 'lines'} of the security log: sign-ins, roles and settings`,
        ]
      : []),
  ];
}

/** "02:00" of minutes after midnight. */
export function timeOf(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Minutes after midnight of "02:00"; null if it is not a time. */
export function minutesOf(text: string): number | null {
  const found = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim());
  return found ? Number(found[1]) * 60 + Number(found[2]) : null;
}

/** How long until then: "19 h 19 min", "3 d 4 h". */
export function until(at: string, now: Date): string {
  const minutes = Math.max(0, Math.round((new Date(at).getTime() - now.getTime()) / 60_000));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  if (days > 0) return `${String(days)} d ${String(hours)} h`;
  return hours > 0 ? `${String(hours)} h ${String(minutes % 60)} min` : `${String(minutes)} min`;
}

/** An address of a database without its password. */
export function withoutPassword(address: string): string {
  return address
    .replace(/(:\/\/[^/@:]*):[^/]*@/, '$1@')
    .replace(/([?&])password=[^&]*&?/, '$1')
    .replace(/[?&]$/, '');
}
