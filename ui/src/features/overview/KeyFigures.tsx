import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import {
  Content,
  Loading,
  changeTone,
  compare,
  count,
  estimate,
  plural,
  range,
  ratio,
  share,
  subtract,
} from '@/shared';
import type { DayRange, Numeric } from '@/shared';
import { figure, totals } from './amounts';
import type { DayRow } from './amounts';
import type { MonthProps } from './Month';
import { againstList, mainCurrency, saving, useSavings } from './savings';
import type { Saving } from './savings';
import { useSpend } from './spend';
import { Tile } from './Tile';
import { ToExplorer } from './ToExplorer';

/** The figures of the month. What is not known is not shown. */
export function KeyFigures({ shown, currency, several }: MonthProps) {
  const spend = useSpend(shown);
  const savings = useSavings();
  const name = range(shown.now.from, shown.now.to);
  return (
    <section className="kpis" aria-label="Key figures">
      <Content of={spend} what="Costs could not be read" lines={2}>
        {({ now, before, use }) => {
          const against = { rows: before, name: range(shown.before.from, shown.before.to), several };
          const cost = (row: DayRow) => row.billed_cost;
          const effective = (row: DayRow) => row.effective_cost;
          const list = totals(use, (row) => row.list_cost).get(currency) ?? 0;
          const paid = totals(use, (row) => row.effective_cost).get(currency) ?? 0;
          return (
            <>
              <Tile label={`Billed, ${name}`}>
                <Amounts amounts={totals(now, cost)} several={several} range={shown.now} />
                <Against now={totals(now, cost)} before={totals(before, cost)} {...against} currency={currency} />
              </Tile>
              <Tile label="Effective cost" title="Purchases of commitments spread over the use they cover">
                <Amounts amounts={totals(now, effective)} several={several} range={shown.now} metric="effective" />
                <Against
                  now={totals(now, effective)}
                  before={totals(before, effective)}
                  {...against}
                  currency={currency}
                />
              </Tile>
              <Tile
                label="Effective savings rate"
                title="List price less effective cost, as a share of the list price; purchases of commitments left out"
              >
                <b>{compare(list, 0) > 0 ? share(ratio(subtract(list, paid), list)) : '–'}</b>
                <div className="d">
                  {compare(list, 0) > 0
                    ? againstList(list, paid, (amount) => figure(amount, currency, several))
                    : 'The bills state no list prices'}
                </div>
              </Tile>
            </>
          );
        }}
      </Content>
      <Content of={savings} what="Recommendations could not be read" lines={2}>
        {(rows) => {
          const open = saving(rows.filter((row) => row.standing === 'open'));
          const done = saving(rows.filter((row) => row.standing === 'done'));
          return (
            <>
              <Tile label="Savings identified">
                <SavingAmounts of={open} show="open" currency={rows.length > 0 ? mainCurrency(rows) : null} />
                <div className="d">
                  {open.count > 0 ? `per month, ${count(open.count)} open` : 'No recommendation is open'}
                </div>
              </Tile>
              <Tile label="Savings closed">
                <SavingAmounts of={done} show="done" currency={rows.length > 0 ? mainCurrency(rows) : null} />
                <div className="d">
                  {done.count > 0
                    ? `per month, ${plural(done.count, 'recommendation')} carried out`
                    : 'None carried out yet'}
                </div>
              </Tile>
            </>
          );
        }}
      </Content>
      {!spend.data && !spend.error && <Loading lines={2} />}
    </section>
  );
}

/** One amount per currency; more than three are in the Explorer. */
function Amounts({
  amounts,
  several,
  range: days,
  metric,
}: {
  amounts: Map<string, Numeric>;
  several: boolean;
  range: DayRange;
  metric?: 'effective';
}) {
  return [...amounts].slice(0, 3).map(([code, amount]) => (
    <b key={code} className={amounts.size > 1 ? 'several' : ''}>
      <ToExplorer range={days} {...(metric ? { metric } : {})} currency={several ? code : undefined}>
        {figure(amount, code, several)}
      </ToExplorer>
    </b>
  ));
}

/** `currency` is what nothing is counted in; null when there are no recommendations at all. */
function SavingAmounts({ of, show, currency }: { of: Saving; show: 'open' | 'done'; currency: string | null }) {
  if (currency === null) return <b>–</b>;
  const amounts: [string, Numeric][] = of.amounts.size > 0 ? [...of.amounts] : [[currency, 0]];
  const several = amounts.length > 1;
  return amounts.slice(0, 3).map(([code, amount]) => (
    <b key={code} className={several ? 'several' : ''}>
      <Link to="/recommendations" search={show === 'open' ? {} : { show }}>
        {estimate(amount, code || null, { several })}
      </Link>
    </b>
  ));
}

/** The change against the period before, in one currency; colour from 10% up. */
function Against({
  now,
  before,
  rows,
  name,
  currency,
  several,
}: {
  now: Map<string, Numeric>;
  before: Map<string, Numeric>;
  rows: readonly unknown[];
  name: string;
  currency: string;
  several: boolean;
}) {
  if (rows.length === 0) return <div className="d">No costs for {name}</div>;
  const [spend, past] = [now.get(currency) ?? 0, before.get(currency)];
  const fraction = past !== undefined && compare(past, 0) > 0 ? ratio(subtract(spend, past), past) : null;
  if (fraction === null)
    return (
      <div className="d">
        No {currency} for {name}
      </div>
    );
  const Arrow = fraction < 0 ? ArrowDown : ArrowUp;
  return (
    <div className="d">
      <span className={`row nowrap ${changeTone(fraction)}`}>
        <Arrow className="i" />
        {several && `${currency} `}
        {share(Math.abs(fraction))}
      </span>
      <span className="cut">against {name}</span>
    </div>
  );
}
