import { Avatar, Severity, age, compareNames, isZero, money, sortRows, dayWidth } from '@/shared';
import type { Column, Sort } from '@/shared';
import type { Row } from './row';
import { State } from './State';

const severities = ['Critical', 'High', 'Medium', 'Low', 'Info'];

/** The columns that fit. `several`: whether the page has more than one currency. */
export function columnsFor(room: 'wide' | 'beside' | 'narrow', several: boolean, now: Date): Column<Row>[] {
  const severity: Column<Row> = {
    id: 'severity',
    header: 'Severity',
    hideHeader: room !== 'wide',
    sortable: room === 'wide',
    width: room === 'wide' ? 94 : 34,
    // The most important first.
    value: (row) => (row.severity === null ? null : severities.indexOf(row.severity)),
    cell: (row) => row.severity && <Severity value={row.severity} iconOnly={room !== 'wide'} />,
  };
  const title: Column<Row> = {
    id: 'title',
    header: 'Recommendation',
    value: (row) => row.title,
    cell: (row) => (
      <>
        <div className="cut t" title={row.title}>
          {row.title}
        </div>
        <div className="cut small muted">
          {row.resource && `${row.resource}, `}
          <span className="faint">{row.account}</span>
        </div>
      </>
    ),
  };
  const savings: Column<Row> = {
    id: 'savings',
    header: 'Monthly',
    kind: 'number',
    width: room === 'wide' ? 104 : 92,
    value: (row) => row.savings,
    cell: (row) =>
      row.savings === null || isZero(row.savings) ? (
        <span className="faint">{row.savings === null ? '–' : money(0, row.currency || null, { several })}</span>
      ) : (
        <b>{money(row.savings, row.currency || null, { several })}</b>
      ),
  };
  const status: Column<Row> = {
    id: 'status',
    header: 'State',
    width: 124,
    least: 96,
    value: (row) => row.status,
    cell: (row) => <State row={row} />,
  };
  const owner: Column<Row> = {
    id: 'owner',
    header: 'Owner',
    width: 72,
    value: (row) => row.ownerName,
    cell: (row) => <Avatar name={row.ownerName} />,
  };
  if (room === 'narrow') return [severity, title, savings];
  if (room === 'beside') return [severity, title, savings, status, owner];
  return [
    severity,
    title,
    {
      id: 'reason',
      header: 'Reason',
      width: 208,
      least: 120,
      value: (row) => row.reason,
      cell: (row) => (
        <span className="reason" title={row.reason ?? ''}>
          {row.reason}
        </span>
      ),
    },
    {
      id: 'category',
      header: 'Category',
      width: 172,
      value: (row) => row.category,
      cell: (row) => <span className="badge">{row.category}</span>,
    },
    savings,
    {
      id: 'found',
      header: 'Found',
      width: 116,
      least: dayWidth,
      value: (row) => row.stored.created_at,
      cell: (row) => <span title={row.stored.created_at}>{age(row.stored.created_at, now)}</span>,
    },
    status,
    owner,
  ];
}

/** Rows in the order of the list. Ties are ordered by importance, title and resource. */
export function ordered(rows: readonly Row[], sort: Sort, now: Date): Row[] {
  const equal: Sort = [
    { id: 'severity', desc: false },
    { id: 'title', desc: false },
  ];
  const byResource = [...rows].sort(
    (a, b) => compareNames(a.resource, b.resource) || compareNames(a.account, b.account) || compareNames(a.id, b.id),
  );
  return sortRows(columnsFor('wide', false, now), byResource, [...sort, ...equal]);
}
