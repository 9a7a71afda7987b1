import { AccountsPanel } from './AccountsPanel';
import { AttentionPanel } from './AttentionPanel';
import { KeyFigures } from './KeyFigures';
import type { Period } from './period';
import { SavingsPanel } from './SavingsPanel';
import { ServicesPanel } from './ServicesPanel';
import { SpendPanel } from './SpendPanel';
import { WeekPanel } from './WeekPanel';

/** A month with costs. `currency` is that of chart and tables, "" if the bills have none. */
export interface MonthProps {
  shown: Period;
  currency: string;
  /** Whether the month has other currencies too: every amount then includes its code. */
  several: boolean;
}

export function Month({ last, ...month }: MonthProps & { last: string }) {
  const sign = month.several ? '' : month.currency;
  return (
    <div className="stack">
      <KeyFigures {...month} />
      <div className="ov-a">
        <SpendPanel {...month} />
        <AttentionPanel last={last} sign={sign} />
      </div>
      <div className="ov-b">
        <div className="stack">
          <ServicesPanel {...month} />
          <WeekPanel sign={sign} />
        </div>
        <SavingsPanel />
        <AccountsPanel {...month} />
      </div>
    </div>
  );
}
