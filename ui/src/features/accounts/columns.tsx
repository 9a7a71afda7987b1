import { Status, billedHeader, count, money } from '@/shared';
import type { Column, DayRange } from '@/shared';
import type { Row } from './row';

/** The columns that fit, with one cost column per currency. */
export function columnsFor(
  room: 'wide' | 'beside' | 'narrow',
  currencies: readonly string[],
  period: string,
): Column<Row>[] {
  const name: Column<Row> = {
    id: 'name',
    header: 'Account',
    value: (row) => row.name,
    cell: (row) => (
      <span className="row account-name">
        <span className="tag">{row.provider}</span>
        <span className="grow">
          <span className="cut t block" title={row.name}>
            {row.name}
          </span>
          <span className="cut small muted block">{row.number || row.kind}</span>
        </span>
      </span>
    ),
  };
  const fresh: Column<Row> = {
    id: 'fresh',
    header: 'Fed by',
    width: room === 'wide' ? 176 : 150,
    least: 146,
    value: (row) => row.fresh.text,
    cell: (row) => (
      <>
        <Status tone={row.fresh.tone}>{row.fresh.text}</Status>
        <div className="cut small muted" title={row.fresh.detail}>
          {row.fresh.detail}
        </div>
      </>
    ),
  };
  const number = (id: 'resources' | 'firing' | 'open', header: string, width: number): Column<Row> => ({
    id,
    header,
    kind: 'number',
    width,
    value: (row) => row[id],
    cell: (row) => (id === 'firing' && row.firing > 0 ? <b className="st bad">{count(row.firing)}</b> : count(row[id])),
  });
  const costs = currencies.map((currency): Column<Row> => ({
    id: `cost-${currency}`,
    header: currencies.length > 1 ? `${period} ${currency}` : period,
    kind: 'number',
    width: 160,
    least: 124,
    value: (row) => row.costs.get(currency) ?? null,
    cell: (row) => {
      const amount = row.costs.get(currency);
      return amount === undefined ? '–' : money(amount, currency || null, { several: currencies.length > 1 });
    },
  }));
  if (room === 'narrow') return [name, fresh];
  if (room === 'beside') return [name, fresh, ...costs.slice(0, 1)];
  return [
    name,
    fresh,
    { id: 'kind', header: 'Kind', width: 150, least: 130, value: (row) => row.kind },
    number('resources', 'Resources', 96),
    number('firing', 'Firing', 76),
    number('open', 'Recommendations', 140),
    ...costs,
  ];
}

/** The columns of an export: costs with their days and currency, and the account number that distinguishes accounts with the same name. */
export function exportedColumns(currencies: readonly string[], days: DayRange | null): Column<Row>[] {
  return [
    ...columnsFor('wide', currencies, '').map((column) => {
      const currency = currencies.find((one) => column.id === `cost-${one}`);
      return currency === undefined || days === null ? column : { ...column, header: billedHeader(days, currency) };
    }),
    { id: 'provider', header: 'Provider', value: (row) => row.stored.cloud_provider },
    { id: 'number', header: 'Account number', value: (row) => row.number },
  ];
}
