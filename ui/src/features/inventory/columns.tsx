import { date, money } from '@/shared';
import type { Column, Numeric } from '@/shared';
import type { Row } from './row';

/** The columns there is room for: an amount of its own for every currency, since currencies are never added. */
export function columnsFor(
  room: 'wide' | 'beside' | 'narrow',
  currencies: readonly string[],
  totals: ReadonlyMap<string, Numeric>,
  now: Date,
): Column<Row>[] {
  const several = currencies.length > 1;
  const name: Column<Row> = {
    id: 'name',
    header: 'Resource',
    value: (row) => row.name,
    total: 'Together',
    cell: (row) => (
      <>
        <div className="cut t" title={row.stored.external_resource_id ?? row.name}>
          {row.name}
        </div>
        <div className="cut small muted">{[row.stored.type, row.stored.service_name].filter(Boolean).join(', ')}</div>
      </>
    ),
  };
  const account: Column<Row> = {
    id: 'account',
    header: 'Account',
    width: 180,
    value: (row) => row.stored.cloud_account.account_name,
    cell: (row) => (
      <>
        <div className="cut">{row.stored.cloud_account.account_name}</div>
        <div className="cut small muted">{row.stored.region}</div>
      </>
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
  if (room === 'narrow') return [name, ...costs.slice(0, 1)];
  if (room === 'beside') return [name, ...costs];
  return [
    name,
    account,
    {
      id: 'seen',
      header: 'Last seen',
      width: 120,
      value: (row) => row.stored.last_seen,
      cell: (row) =>
        row.stored.last_seen === null ? (
          <span className="faint">–</span>
        ) : (
          <span title={row.stored.last_seen}>{date(row.stored.last_seen, now)}</span>
        ),
    },
    ...costs,
  ];
}

/** The name of the column of a currency, in addresses too. */
export function costId(currency: string): string {
  return `cost-${currency}`;
}
