import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Status, compare, month, subtract, units } from '@/shared';
import type { Numeric } from '@/shared';
import { useAhead } from './monthForecast';
import { figure } from './amounts';
import type { MonthProps } from './Month';
import { Tile } from './Tile';
import { words } from './words';

/** The forecast of the month, or its budget once the month is over, and their difference; nothing if neither is known. */
export function ForecastTile({ shown, currency, several, billed }: MonthProps & { billed: Numeric }) {
  const days = useMemo(() => units('day', shown.month), [shown.month]);
  const { total, budget } = useAhead(shown, days, currency, billed);
  const isOver = shown.now.to === shown.month.to;
  const end = isOver ? billed : total;
  const figured = isOver ? budget : total;
  // The year is shown above.
  const name = month(shown.month.from).replace(/ \d+$/, '');
  // Keeps its space, so that nothing moves when the response arrives.
  if (end === undefined) return <Asked label={words.forecastOf(name)} />;
  if (end === null || figured == null) return null;
  const amount = (value: Numeric) => figure(value, currency, several);
  return (
    <Tile label={isOver ? words.budgetOf(name) : words.forecastOf(name)}>
      <b>
        <Link to="/costs/budgets">{amount(figured)}</Link>
      </b>
      <div className="d">
        {budget === null && words.noBudget}
        {budget != null && <Against {...{ end, budget, amount }} />}
        {/* Its line is kept free while it is asked whether there is one. */}
        {budget === undefined && '\u00a0'}
      </div>
    </Tile>
  );
}

/** Placeholder of a figure that is loading. */
function Asked({ label }: { label: string }) {
  return (
    <Tile label={label}>
      <b>{'\u00a0'}</b>
      <div className="d">{'\u00a0'}</div>
    </Tile>
  );
}

function Against({ end, budget, amount }: { end: Numeric; budget: Numeric; amount: (value: Numeric) => string }) {
  return compare(end, budget) > 0 ? (
    <Status tone="warn">{words.over(amount(subtract(end, budget)))}</Status>
  ) : (
    words.under(amount(subtract(budget, end)))
  );
}
