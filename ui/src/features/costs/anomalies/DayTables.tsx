import type { ReactNode } from 'react';
import { compare, money, subtract, useToday } from '@/shared';
import { exactOf, stepName } from './amount';
import type { Comparison, Row } from './row';
import { median, unrestDaysOf } from './unrest';

/** The comparison values of a day. */
export function ComparedDays({ row, of, isWeighted }: { row: Row; of: Comparison; isWeighted: boolean }) {
  return (
    <Compared row={row} of={of} isWeighted={isWeighted}>
      The {row.isHourly ? 'hours' : 'days'} it was compared with
    </Compared>
  );
}

/** The days of the same weekday, from which the first day of a month must deviate as well. */
export function OrdinaryDays({ row, of }: { row: Row; of: Comparison }) {
  return of.ordinary ? (
    <Compared row={row} of={of.ordinary} isWeighted={false}>
      The days of its weekday
    </Compared>
  ) : null;
}

interface ComparedProps {
  row: Row;
  of: Comparison;
  isWeighted: boolean;
  children: ReactNode;
}

function Compared({ row, of, isWeighted, children }: ComparedProps) {
  const now = useToday();
  return (
    <details className="compared">
      <summary>{children}</summary>
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

/** The days from which the floor of the spread was calculated. */
export function UnrestDays({ row, of }: { row: Row; of: Comparison }) {
  const now = useToday();
  const days = unrestDaysOf(row, of);
  if (days.length === 0) return null;
  const step = row.isHourly ? 'Hour' : 'Day';
  const isByWeekday = !of.rule.endsWith('month starts');
  return (
    <details className="compared">
      <summary>The {row.isHourly ? 'hours' : 'days'} behind its floor</summary>
      <table className="tbl compact tight">
        <thead>
          <tr>
            <th scope="col">{step}</th>
            <th scope="col" className="n">
              Value
            </th>
            {isByWeekday && (
              <>
                <th scope="col" className="n">
                  Median of its {row.isHourly ? 'hour' : 'weekday'}
                </th>
                <th scope="col" className="n">
                  Distance
                </th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {days.map(({ date, value, middle, difference }) => (
            <tr key={date}>
              <th scope="row">{stepName(date, now)}</th>
              <td className="n num">{exactOf(row, value)}</td>
              {isByWeekday && (
                <>
                  <td className="n num">{exactOf(row, middle)}</td>
                  <td className="n num">{exactOf(row, difference)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
        {isByWeekday && (
          <tfoot>
            <tr>
              <td colSpan={3}>Median of the distances; the floor is 1.4826 times this</td>
              <td className="n num">{exactOf(row, median(days.map(({ difference }) => difference)))}</td>
            </tr>
          </tfoot>
        )}
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
