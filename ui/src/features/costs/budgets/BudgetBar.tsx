import { ratio } from '@/shared';
import type { Budget } from './queries';

/** All bars of a table share one scale, 175% of the budget, so that they can be compared. */
const widest = 1.75;

const at = (fraction: number) => `${String((Math.min(Math.max(fraction, 0), widest) / widest) * 100)}%`;

/** Billed cost, forecast, thresholds and budget on one line. */
export function BudgetBar({ budget }: { budget: Budget }) {
  const { spent, forecast, amount, thresholds } = budget;
  const billed = spent === null ? 0 : (ratio(spent, amount) ?? 0);
  const expected = forecast === null ? 0 : (ratio(forecast, amount) ?? 0);
  return (
    <span className="budget-bar" aria-hidden="true">
      <i className="expected" style={{ width: at(expected) }} />
      <i className={billed >= 1 ? 'billed over' : 'billed'} style={{ width: at(billed) }} />
      {thresholds
        .filter(({ on, percent }) => on === 'actual' && Number(percent) < 100)
        .map(({ percent }) => (
          <s key={String(percent)} style={{ left: at(Number(percent) / 100) }} />
        ))}
      <s className="limit" style={{ left: at(1) }} />
    </span>
  );
}
