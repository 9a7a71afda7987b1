import { useState } from 'react';
import { useGraphQL } from '@/api';
import { Content, date, money, plural, subtract, sum, useNow } from '@/shared';
import type { Day, Numeric } from '@/shared';
import { endsBefore, nobody } from './earlier';
import { DaysBefore } from './queries';
import type { Budget } from './queries';
import { aheadOf, meanOf } from './derivation';
import type { Ahead } from './derivation';
import { words } from './words';

const text = words.derivation;

/** Amounts to the cent, and with as many digits as are reckoned with. */
interface Amounts {
  amount: (value: Numeric) => string;
  exact: (value: Numeric) => string;
}

/** How the forecast of a budget is calculated from billed cost, so that it can be repeated with a calculator. */
export function ForecastDerivation({ budget, several }: { budget: Budget; several: boolean }) {
  const now = useNow();
  const [isOpen, setIsOpen] = useState(false);
  const { days, spent, forecast, currency, until, accuracy } = budget;
  const last = days.findLast((day) => !day.is_forecast);
  const ahead = days.filter((day) => day.is_forecast).length;
  if (!last || spent === null || forecast === null || ahead === 0) return null;
  const amount = (value: Numeric) => money(value, currency, { several });
  const exact = (value: Numeric) => money(value, currency, { several, rate: true });
  return (
    <section className="sec budgets">
      <h3>{text.title}</h3>
      <dl className="kv">
        <dt>{text.billed(date(last.date, now))}</dt>
        <dd className="num">{amount(spent)}</dd>
        <dt>{text.expected(plural(ahead, 'day'))}</dt>
        <dd className="num">+ {amount(subtract(forecast, spent))}</dd>
        <dt>{text.forecast(date(until, now))}</dt>
        <dd className="num">= {amount(forecast)}</dd>
      </dl>
      {accuracy?.method != null && (
        <details
          onToggle={(event) => {
            setIsOpen(event.currentTarget.open);
          }}
        >
          <summary>{text.days}</summary>
          {isOpen && <DaysAhead budget={budget} method={accuracy.method} amounts={{ amount, exact }} />}
        </details>
      )}
    </section>
  );
}

/** Each future day with the days it is based on, which may be in the two previous periods. */
function DaysAhead({ budget, method, amounts }: { budget: Budget; method: string; amounts: Amounts }) {
  const now = useNow();
  const ends = endsBefore(budget);
  const request = (place: number) => ({
    as_of: ends[place] ?? budget.from,
    budget_ids: [place < ends.length ? budget.budget_id : nobody],
  });
  const found = useGraphQL(DaysBefore, { p1: request(0), p2: request(1) });
  const before = found.data && [found.data.p2, found.data.p1].map((answer) => answer?.rows[0]?.days ?? []);
  return (
    <Content of={{ ...found, data: before }} what={text.failed} lines={2}>
      {(earlier) => (
        <table className="tbl compact tight">
          <tbody>
            {aheadOf(method, budget.days, earlier).map((day) => (
              <tr key={day.date}>
                <td className="long">
                  <span className="two-lines">
                    {date(day.date, now)}
                    <span className="small muted">{reason(day, method, amounts, now)}</span>
                  </span>
                </td>
                <td className="n num">{amounts.amount(day.expected)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Content>
  );
}

/** The basis of a future day, in words and amounts. */
function reason({ from, growth, rest }: Ahead, method: string, { amount, exact }: Amounts, now: Date): string {
  if (!from || from.length === 0) return text.unknown;
  const name = (day: Day) => date(day, now);
  const all = from.map((day) => `${name(day.date)} ${exact(day.amount)}`).join(', ');
  const last = from.at(-1)?.date ?? '';
  const first =
    method === 'run_rate_28_days'
      ? text.rate(exact(sum(from.map((day) => day.amount))), name(last))
      : from.length === 1
        ? text.again(all)
        : `${text.mean(all)}: ${exact(meanOf(from))}`;
  const grown = growth ? text.grown(exact(growth.amount), String(growth.days)) : '';
  return first + grown + (rest === null ? '' : text.rest(amount(rest)));
}
