import { isZero, money, ratio, share } from '@/shared';
import type { Numeric } from '@/shared';
import type { Row } from './row';

interface Driver {
  dimension: string;
  name: string;
  amount: Numeric;
}

const titles: Record<string, string> = {
  account: 'Account',
  service: 'Service',
  resource: 'Resource',
  usage_type: 'Usage type',
  meter: 'Meter',
  price_or_quantity: 'Price or quantity',
};

const names: Partial<Record<string, string>> = {
  quantity: 'Quantity used',
  price: 'Price',
  'quantity not known': 'Quantity not known',
};

/** The contributors of the anomaly by dimension; the amounts of each dimension add up to the impact. */
export function Drivers({ rows, row }: { rows: readonly Driver[]; row: Row }) {
  const dimensions = Object.keys(titles)
    .map((dimension) => ({ dimension, rows: rows.filter((one) => one.dimension === dimension) }))
    // A dimension without any values is omitted.
    .filter(({ rows: of }) => of.some(({ name }) => name !== ''));
  return (
    <table className="tbl compact tight drivers">
      <colgroup>
        <col />
        <col className="share" />
        <col className="impact" />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">Contributor</th>
          <th scope="col">Share</th>
          <th scope="col" className="n">
            Impact
          </th>
        </tr>
      </thead>
      {dimensions.map(({ dimension, rows: of }) => (
        <tbody key={dimension}>
          <tr>
            <th scope="rowgroup" colSpan={3} className="small muted">
              {titles[dimension]}
            </th>
          </tr>
          {of
            .filter(({ amount }) => !isZero(amount))
            .map(({ name, amount }) => (
              <tr key={name}>
                <td className="cut" title={nameOf(dimension, name)}>
                  {nameOf(dimension, name)}
                </td>
                <td className="num muted">
                  <Part of={ratio(amount, row.impact ?? 0)} />
                </td>
                <td className="n num">{money(amount, row.currency, { sign: true })}</td>
              </tr>
            ))}
        </tbody>
      ))}
      <tfoot>
        <tr>
          <td>All contributors of a kind</td>
          <td className="num muted">100.0%</td>
          <td className="n num">{money(row.impact, row.currency, { sign: true })}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function nameOf(dimension: string, name: string): string {
  if (name === '') return 'Not named';
  return dimension === 'price_or_quantity' ? (names[name] ?? name) : name;
}

/** Whether a share would be written as nought, with or without a sign. */
const small = (of: number | null) => of !== null && of !== 0 && Math.abs(of) < 0.0005;

/** A share as bar and number; contributors against the impact have no bar. */
function Part({ of }: { of: number | null }) {
  return (
    <span className="row part">
      <span className="prog" aria-hidden="true">
        <i style={{ width: `${String(Math.min(1, Math.max(0, of ?? 0)) * 100)}%`, background: 'var(--c1)' }} />
      </span>
      {small(of) ? '<0.1%' : share(of)}
    </span>
  );
}
