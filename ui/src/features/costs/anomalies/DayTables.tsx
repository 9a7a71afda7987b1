import { compare, money, subtract, useToday } from '@/shared';
import { exactOf, stepName } from './amount';
import type { Comparison, Row } from './row';

/** What a day was compared with. */
export function ComparedDays({ row, of, isWeighted }: { row: Row; of: Comparison; isWeighted: boolean }) {
  const now = useToday();
  return (
    <details className="compared">
      <summary>The {row.isHourly ? 'hours' : 'days'} it was compared with</summary>
      <table className="tbl compact tight">
        <tbody>
          {of.values.map((one) => (
            <tr key={one.date}>
              <th scope="row">{stepName(one.date, now)}</th>
              <td className="n num">{exactOf(row, one.value)}</td>
              {isWeighted && <td className="n num muted">× {String(one.weight)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** The days of the anomaly itself. Of costs their differences add up to its impact; nothing else is added up. */
export function OwnDays({ row }: { row: Row }) {
  const now = useToday();
  const { reference, kind, impact, currency } = row;
  const unit = row.isHourly ? 'hour' : 'day';
  const difference = (actual: string | number, expected: string | number) => {
    const far = subtract(actual, expected);
    if (kind === 'cost') return money(far, currency, { rate: true, sign: true });
    return compare(far, 0) < 0 ? `−${exactOf(row, subtract(expected, actual))}` : `+${exactOf(row, far)}`;
  };
  return (
    <details className="compared">
      <summary>The {unit}s of the anomaly</summary>
      <table className="tbl compact tight">
        <thead>
          <tr>
            <th scope="col">{row.isHourly ? 'Hour' : 'Day'}</th>
            <th scope="col" className="n">
              Actual
            </th>
            <th scope="col" className="n">
              Expected
            </th>
            <th scope="col" className="n">
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {reference.run.map(({ date, actual, expected }) => (
            <tr key={date}>
              <th scope="row">{stepName(date, now)}</th>
              <td className="n num">{exactOf(row, actual)}</td>
              <td className="n num">{exactOf(row, expected)}</td>
              <td className="n num">{difference(actual, expected)}</td>
            </tr>
          ))}
        </tbody>
        {impact !== null && (
          <tfoot>
            <tr>
              <td colSpan={3}>Sum of the differences</td>
              <td className="n num">{money(impact, currency, { rate: true, sign: true })}</td>
            </tr>
          </tfoot>
        )}
      </table>
    </details>
  );
}
