import { Status, compare, date, money, range, ratio, share, subtract, useNow } from '@/shared';
import type { Numeric } from '@/shared';
import type { ReactNode } from 'react';
import type { Budget } from './queries';
import { forHowLong, hasEnded } from './stand';
import { words } from './words';

/** The budget of all charges, where there is one. */
export function BudgetTiles({ budget, several }: { budget: Budget; several: boolean }) {
  const now = useNow();
  const { amount, spent, forecast, currency, from, until } = budget;
  const last = budget.days.findLast((day) => !day.is_forecast)?.date ?? from;
  const whole = (value: typeof spent) => money(value, currency, { whole: true, several });
  return (
    <section className="kpis budgets-kpis" aria-label={budget.name}>
      <Tile label={words.tiles.budget(range(from, until, now))} value={whole(amount)}>
        {words.tiles.everything}, {forHowLong(budget, now)}
      </Tile>
      <Tile label={words.tiles.actual(range(from, last, now))} value={whole(spent)}>
        {spent !== null && words.tiles.ofBudget(share(ratio(spent, amount)))}
      </Tile>
      {hasEnded(budget) ? (
        <Ended budget={budget} whole={whole} />
      ) : (
        <Tile label={words.tiles.forecast(date(until, now))} value={whole(forecast)}>
          {forecast !== null &&
            (compare(forecast, amount) > 0 ? (
              <Status tone="warn">{words.tiles.over(whole(subtract(forecast, amount)))}</Status>
            ) : (
              words.tiles.under(whole(subtract(amount, forecast)))
            ))}
          {forecast === null && budget.message}
        </Tile>
      )}
    </section>
  );
}

/** How a period that is over ended against its budget. */
function Ended({ budget, whole }: { budget: Budget; whole: (value: Numeric | null) => string }) {
  const now = useNow();
  const { amount, spent, until, crossed_on: crossed } = budget;
  if (spent !== null && compare(spent, amount) > 0)
    return (
      <Tile label={words.tiles.exceeded} value={whole(subtract(spent, amount))}>
        <Status tone="bad">
          {crossed === null ? words.tiles.ended(date(until, now)) : words.tiles.since(date(crossed, now))}
        </Status>
      </Tile>
    );
  return (
    <Tile label={words.tiles.left} value={whole(spent === null ? null : subtract(amount, spent))}>
      {words.tiles.ended(date(until, now))}
    </Tile>
  );
}

function Tile({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <div className="kpi">
      <div className="l">
        <span className="cut">{label}</span>
      </div>
      <b>{value}</b>
      <div className="d">{children}</div>
    </div>
  );
}
