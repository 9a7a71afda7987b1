import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useLedger } from '@/api';
import type { LedgerCurrency } from '@/api';
import {
  Content,
  Loading,
  changeTone,
  compare,
  count,
  estimate,
  money,
  plural,
  range,
  ratio,
  share,
  subtract,
  useToday,
} from '@/shared';
import type { DayRange, Numeric } from '@/shared';
import { figure, totals } from './amounts';
import type { DayRow } from './amounts';
import { FiringTile } from './FiringTile';
import { ForecastTile } from './ForecastTile';
import type { MonthProps } from './Month';
import { againstList } from './savings';
import { useSpend } from './spend';
import { Tile } from './Tile';
import { ToExplorer } from './ToExplorer';

/** The figures of the month. Unknown figures are not shown. */
export function KeyFigures({ shown, currency, several }: MonthProps) {
  const spend = useSpend(shown);
  const ledger = useLedger();
  const today = useToday();
  const name = range(shown.now.from, shown.now.to, today);
  return (
    <section className="kpis month-kpis" aria-label="Key figures">
      <Content of={spend} what="Costs could not be read" lines={2}>
        {({ now, before, use }) => {
          const against = { rows: before, name: range(shown.before.from, shown.before.to, today), several };
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
              <ForecastTile
                shown={shown}
                currency={currency}
                several={several}
                billed={totals(now, cost).get(currency) ?? 0}
              />
              <Tile label="Effective cost" title="Purchases of commitments spread over the use they cover">
                <Amounts amounts={totals(now, effective)} several={several} range={shown.now} metric="effective" />
                <SavingsRate list={list} paid={paid} written={(amount) => figure(amount, currency, several)} />
              </Tile>
            </>
          );
        }}
      </Content>
      <Content of={ledger} what="Savings could not be read" lines={2}>
        {(currencies) => (
          <>
            <Tile label="Savings identified" title="Estimated monthly savings of open recommendations">
              <Saved of={currencies} part="identified" currency={currency} />
              <div className="d">
                {isIn(currencies, 'identified')
                  ? `per month, in ${plural(countOf(currencies, 'identified'), 'open recommendation')}`
                  : 'No open recommendation has a saving'}
              </div>
            </Tile>
            <Tile label="Savings proved" title="Savings shown by the newest month, in full or in part">
              <Saved of={currencies} part="verified" currency={currency} />
              <div className="d">
                {isIn(currencies, 'verified')
                  ? `${count(countOf(currencies, 'verified'))} closed, in the newest month`
                  : 'Nothing proved yet'}
              </div>
            </Tile>
          </>
        )}
      </Content>
      <FiringTile />
      {!spend.data && !spend.error && <Loading lines={2} />}
    </section>
  );
}

/** The difference between list prices and the paid cost, as a share of list prices. */
function SavingsRate({ list, paid, written }: { list: Numeric; paid: Numeric; written: (amount: Numeric) => string }) {
  if (compare(list, 0) <= 0) return <div className="d">The bills state no list prices</div>;
  return (
    <div
      className="d"
      title={`Effective savings rate: list price less effective cost, as a share of the list price; purchases of commitments left out. ${againstList(list, paid, written)}`}
    >
      Savings rate {share(ratio(subtract(list, paid), list))}
    </div>
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

type Part = 'identified' | 'verified';

const countOf = (of: readonly LedgerCurrency[], part: Part) => of.reduce((all, one) => all + one[part].count, 0);
const isIn = (of: readonly LedgerCurrency[], part: Part) => countOf(of, part) > 0;

/** A figure of the savings ledger, as on the Savings page; `currency` is used if there are no savings. */
function Saved({ of, part, currency }: { of: readonly LedgerCurrency[]; part: Part; currency: string }) {
  if (of.length === 0) return <b>–</b>;
  const some = of.filter((one) => one[part].count > 0);
  const amounts: [string, Numeric][] =
    some.length > 0 ? some.map((one) => [one.currency, one[part].amount]) : [[currency, 0]];
  const several = amounts.length > 1;
  return amounts.slice(0, 3).map(([code, amount]) => (
    <b key={code} className={several ? 'several' : ''}>
      {part === 'identified' ? (
        <Link to="/recommendations">{estimate(amount, code, { several })}</Link>
      ) : (
        <Link to="/savings">{money(amount, code, { several })}</Link>
      )}
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
