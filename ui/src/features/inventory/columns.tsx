import { billedHeader, dateOf, money } from '@/shared';
import type { Column, DayRange, Numeric } from '@/shared';
import type { Row } from './row';
import { costId } from './where';

/** Where the list is shown: alone, next to an open resource, in a small window, or on paper. */
type Room = 'wide' | 'beside' | 'narrow' | 'paper';

/** The columns that fit, with one cost column per currency, because currencies are never added. */
export function columnsFor(
  room: Room,
  currencies: readonly string[],
  totals: ReadonlyMap<string, Numeric>,
  now: Date,
): Column<Row>[] {
  const several = currencies.length > 1;
  const name: Column<Row> = {
    id: 'name',
    header: 'Resource',
    value: (row) => row.name,
    total: 'Total',
    cell: (row) => (
      <>
        <div className="cut t" title={row.stored.external_resource_id ?? row.name}>
          {row.name}
        </div>
        {room !== 'paper' && (
          <div className="cut small muted">
            {[row.stored.type, room === 'wide' ? null : row.stored.service_name].filter(Boolean).join(', ')}
          </div>
        )}
      </>
    ),
  };
  const text = (
    id: string,
    header: string,
    [width, least]: [number, number],
    value: (row: Row) => string | null,
  ): Column<Row> => ({
    id,
    header,
    width,
    least,
    value,
    cell: (row) => {
      const said = value(row);
      return said ? (
        <div className="cut" title={said}>
          {said}
        </div>
      ) : (
        <span className="faint">–</span>
      );
    },
  });
  const account = text(
    'account',
    'Account',
    room === 'beside' ? [124, 104] : [160, 112],
    (row) => row.stored.account_name,
  );
  const region = text('region', 'Region', [128, 96], (row) => row.stored.region);
  const seen: Column<Row> = {
    id: 'seen',
    header: 'Last seen',
    width: 108,
    value: (row) => row.stored.last_seen,
    cell: (row) =>
      row.stored.last_seen === null ? (
        <span className="faint">–</span>
      ) : (
        <span title={row.stored.last_seen}>{dateOf(row.stored.last_seen, now)}</span>
      ),
  };
  const costs = currencies.map((currency): Column<Row> => {
    const total = totals.get(currency);
    return {
      id: costId(currency),
      header: several ? `Billed, ${currency || 'no currency'}` : 'Billed',
      kind: 'number',
      width: several ? 136 : 116,
      value: (row) => row.costs.get(currency) ?? null,
      total: total === undefined ? undefined : money(total, currency || null, { several }),
      cell: (row) => money(row.costs.get(currency), currency || null, { several }),
    };
  });
  // One line per row: WebKit would print the second line on the next sheet.
  if (room === 'paper') return [name, account, region, seen, ...costs];
  if (room === 'narrow') return [name, ...costs.slice(0, 1)];
  if (room === 'beside') return [name, account, region, ...costs];
  return [
    name,
    text('service', 'Service', [216, 120], (row) => row.stored.service_name),
    account,
    region,
    text('status', 'Status', [84, 72], (row) => row.stored.status),
    seen,
    ...costs,
  ];
}

/** The columns of a file: costs with their days and currency. */
export function exportedColumns(currencies: readonly string[], days: DayRange | null, now: Date): Column<Row>[] {
  return [
    ...columnsFor('paper', currencies, new Map(), now).map((column) => {
      const currency = currencies.find((one) => column.id === costId(one));
      return currency === undefined || days === null ? column : { ...column, header: billedHeader(days, currency) };
    }),
    { id: 'resource', header: 'Identifier', value: (row) => row.stored.external_resource_id },
  ];
}
