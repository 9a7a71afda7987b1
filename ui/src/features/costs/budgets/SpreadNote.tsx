import { Info } from 'lucide-react';
import { Button, compare, money, subtract } from '@/shared';
import type { Numeric } from '@/shared';
import type { Budget } from './queries';
import { spreadOf } from './spread';
import { words } from './words';

/** Shows the difference between the account budgets and the tenant budget: they need not agree. */
export function SpreadNote({
  whole,
  budgets,
  several,
  onOpen,
}: {
  /** The budget of everything. */
  whole: Budget;
  budgets: readonly Budget[];
  several: boolean;
  onOpen: () => void;
}) {
  const spread = spreadOf(whole, budgets);
  if (!spread) return null;
  const amount = (value: Numeric) => money(value, whole.currency, { whole: true, several });
  const isMore = compare(spread.more, 0) > 0;
  const difference = amount(isMore ? spread.more : subtract(0, spread.more));
  return (
    <div className="note">
      <Info className="i" />
      <div className="grow">
        <div className="t">{words.spread[isMore ? 'more' : 'less'](amount(spread.total), difference)}</div>
        <div className="muted">{isMore ? words.spread.moreHelp : words.spread.lessHelp}</div>
      </div>
      <Button size="small" onClick={onOpen}>
        {words.spread.open}
      </Button>
    </div>
  );
}
