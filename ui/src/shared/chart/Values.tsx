import { unitName } from './days';
import { useToday } from '../now';
import { useLater } from '../useLater';
import type { ChartProps } from './types';

const none: ChartProps['days'] = [];

/** The values of a chart as a table, for those who cannot see it. It is long, and nobody sees it: its rows come after the page is painted.
 * A table is as wide as its words whatever its style says: what hides it stands around it. */
export function Values({ label, days, unit, series, comparison, format }: ChartProps) {
  const now = useToday();
  const rows = useLater() ? days : none;
  return (
    <div className="sr">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">Period</th>
            {series.map((s) => (
              <th key={s.id} scope="col">
                {s.label}
              </th>
            ))}
            {comparison && <th scope="col">{comparison.label}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((day, i) => (
            <tr key={day}>
              <th scope="row">{unitName(day, unit, now)}</th>
              {series.map((s) => (
                <td key={s.id}>{format(s.values[i] ?? null)}</td>
              ))}
              {comparison && <td>{format(comparison.values[i] ?? null)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
