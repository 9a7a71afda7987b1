import { useGraphQL } from '@/api';
import { compare, date, money, range, ratio, share, useNow } from '@/shared';
import { endsBefore, nobody, pastOf } from './earlier';
import { EarlierPeriods } from './queries';
import type { Budget } from './queries';
import { words } from './words';

const earlier = words.earlier;

/** Billed cost of earlier periods, compared with today's amount. */
export function Earlier({ budget, several }: { budget: Budget; several: boolean }) {
  const now = useNow();
  const ends = endsBefore(budget);
  // Fewer quarters and years are shown than requested; for the others no budget is calculated.
  const request = (place: number) => ({
    as_of: ends[place] ?? budget.from,
    budget_ids: [place < ends.length ? budget.budget_id : nobody],
  });
  const asked = { p1: request(0), p2: request(1), p3: request(2), p4: request(3), p5: request(4), p6: request(5) };
  const data = useGraphQL(EarlierPeriods, asked, { enabled: ends.length > 0 }).data;
  const answers = [data?.p1, data?.p2, data?.p3, data?.p4, data?.p5, data?.p6];
  const rows = pastOf(
    ends,
    answers.map((answer) => answer?.rows),
  );
  if (rows.length === 0) return null;
  return (
    <section className="sec budgets">
      <h3>{earlier.title}</h3>
      <table className="tbl compact tight">
        <thead>
          <tr>
            <th scope="col">{earlier.period}</th>
            <th scope="col" className="n">
              {earlier.spent}
            </th>
            <th scope="col" className="n">
              {earlier.share}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.until}>
              <td>
                <span className="two-lines">
                  {range(row.from, row.until, now)}
                  {row.crossed_on !== null && (
                    <span className="small muted">{earlier.since(date(row.crossed_on, now))}</span>
                  )}
                </span>
              </td>
              <td className="n num">{money(row.spent, row.currency, { several })}</td>
              <td className={row.spent !== null && compare(row.spent, row.amount) >= 0 ? 'n num up' : 'n num'}>
                {share(ratio(row.spent ?? '0', row.amount))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="small muted">{earlier.help}</p>
    </section>
  );
}
