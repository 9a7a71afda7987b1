import { compare, date, money, ratio, share, useNow } from '@/shared';
import type { Budget } from './queries';
import { words } from './words';

const shares = words.shares;
type AccountShare = Budget['accounts'][number];

/** The account shares of a project: the billed cost of each since its funding began, and the spending limit there. */
export function AccountShares({ budget, several }: { budget: Budget; several: boolean }) {
  const now = useNow();
  const amount = (value: AccountShare['spent']) => money(value, budget.currency, { several });
  const days = ({ from, until }: AccountShare) =>
    [from && shares.from(date(from, now)), until && shares.until(date(until, now))].filter(Boolean).join(' ');
  return (
    <section className="sec budgets">
      <h3>{shares.title}</h3>
      <table className="tbl compact tight">
        <thead>
          <tr>
            <th scope="col">{shares.account}</th>
            <th scope="col" className="n">
              {shares.spent}
            </th>
            <th scope="col" className="n">
              {shares.budget}
            </th>
          </tr>
        </thead>
        <tbody>
          {budget.accounts.map((one, place) => (
            <tr key={place}>
              <td>
                <span className="two-lines">
                  {one.name}
                  <span className="small muted">
                    {[`${String(one.percent)}%`, days(one)].filter(Boolean).join(', ')}
                  </span>
                </span>
              </td>
              <td className="n num">{amount(one.spent)}</td>
              <td className="n num">
                <span className="two-lines right">
                  {one.budget === null ? <span className="muted">{shares.none}</span> : amount(one.budget)}
                  {one.budget !== null && one.spent !== null && (
                    <span className={compare(one.spent, one.budget) > 0 ? 'small up' : 'small muted'}>
                      {share(ratio(one.spent, one.budget))}
                    </span>
                  )}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
