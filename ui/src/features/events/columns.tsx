import { Avatar, Severity, count, dateTimeZone, plural, dayWidth } from '@/shared';
import type { Column } from '@/shared';
import { StateMark, TriageMark } from './Marks';
import { besideWords, ownerIdOf, startOf, startShort, triageWords } from './row';
import type { Row } from './row';
import { none } from './useDuplicates';
import type { DuplicateCounts } from './useDuplicates';
import { states } from './words';

/** How often each kind of event happened, by its fingerprint. */
export type Series = ReadonlyMap<string, number>;

/** Names of people by their id. */
export type Names = ReadonlyMap<string, string>;

/** The columns that fit. */
export function columnsFor(
  room: 'wide' | 'beside' | 'narrow',
  series: Series,
  people: Names,
  now: Date,
  duplicates: DuplicateCounts = none,
): Column<Row>[] {
  const ownerOf = (row: Row) => {
    const id = ownerIdOf(row.stored);
    return id === null ? null : (people.get(id) ?? 'Someone');
  };
  const many = ({ stored }: Row) => (stored.fingerprint === null ? null : (series.get(stored.fingerprint) ?? null));
  const severity: Column<Row> = {
    id: 'severity',
    header: 'Severity',
    hideHeader: true,
    sortable: false,
    width: 34,
    value: (row) => row.severity,
    cell: (row) => <Severity value={row.severity} iconOnly />,
  };
  const title: Column<Row> = {
    id: 'title',
    header: 'Event',
    value: (row) => row.stored.title,
    cell: (row) => (
      <>
        <div className="cut t" title={row.stored.title}>
          {row.stored.title}
        </div>
        <div className="cut small muted">
          {duplicates.has(row.id) && <b>{plural(duplicates.get(row.id) ?? 0, 'duplicate')}, </b>}
          {row.subject}
          {room !== 'wide' && <span className="faint">, {row.account}</span>}
        </div>
      </>
    ),
  };
  const priority: Column<Row> = {
    id: 'priority',
    header: 'Priority',
    width: 76,
    value: (row) => row.stored.computed_score,
    cell: (row) =>
      row.stored.computed_priority === null ? (
        <span className="faint">–</span>
      ) : (
        <span className="badge num" title={`Score ${String(row.stored.computed_score ?? '–')} of 100`}>
          {row.stored.computed_priority}
        </span>
      ),
  };
  const started: Column<Row> = {
    id: 'started',
    header: 'Started',
    kind: 'number',
    // Days of another year include the year.
    width: dayWidth,
    value: (row) => startOf(row.stored),
    cell: (row) => (
      <span className="muted" title={`${dateTimeZone(startOf(row.stored), now)}`}>
        {startShort(startOf(row.stored), now)}
      </span>
    ),
  };
  const times: Column<Row> = {
    id: 'count',
    header: 'Count',
    kind: 'number',
    sortable: false,
    width: room === 'wide' ? 68 : 56,
    value: many,
    cell: (row) => count(many(row)),
  };
  const state: Column<Row> = {
    id: 'state',
    header: 'State',
    // Room for "Acknowledged" below the state; next to an open event, titles need the space.
    width: 112,
    least: 104,
    value: (row) => states[row.state].name,
    cell: (row) => (
      <>
        <StateMark state={row.state} />
        {room !== 'wide' && <div className="cut small muted">{besideWords(row, now)}</div>}
      </>
    ),
  };
  const owner: Column<Row> = {
    id: 'owner',
    header: 'Owner',
    sortable: false,
    width: 68,
    value: ownerOf,
    cell: (row) => <Avatar name={ownerOf(row)} />,
  };
  if (room === 'narrow') return [severity, title, state];
  if (room === 'beside') return [severity, title, started, times, state, owner];
  return [
    severity,
    title,
    priority,
    { id: 'source', header: 'Source', width: 176, least: 86, value: (row) => row.source },
    { id: 'account', header: 'Account', sortable: false, width: 176, least: 86, value: (row) => row.account },
    started,
    times,
    state,
    {
      id: 'triage',
      header: 'Triage',
      // "Acknowledged" with its mark.
      width: 140,
      least: 136,
      value: (row) => triageWords(row, now),
      cell: (row) => <TriageMark row={row} />,
    },
    owner,
  ];
}
