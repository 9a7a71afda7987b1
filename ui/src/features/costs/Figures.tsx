import { change as percent, divide, money, plural, range, ratio, subtract, useToday } from '@/shared';
import type { View } from './load';
import { metrics } from './metric';

/** The sums above the chart. */
export function Figures({ view, several }: { view: View; several: boolean }) {
  const { ask, now, before, currency } = view;
  const today = useToday();
  const amount = (value: Parameters<typeof money>[0], sign = false) => money(value, currency, { several, sign });
  const days = now.units.filter((value) => value !== null).length;
  const average = now.total === null || days === 0 ? null : divide(now.total, days);
  const difference = now.total === null || !before || before.total === null ? null : subtract(now.total, before.total);
  return (
    <>
      <Figure label={`${metrics[ask.metric].long}, ${range(ask.range.from, ask.range.to, today)}`}>
        {amount(now.total)}
      </Figure>
      {ask.before && (
        <>
          <Figure label={range(ask.before.from, ask.before.to, today)}>{amount(before?.total ?? null)}</Figure>
          <Figure label="Change">
            {amount(difference, true)}
            {difference !== null && before?.total != null && (
              <span className="muted small"> {percent(ratio(difference, before.total))}</span>
            )}
          </Figure>
        </>
      )}
      <Figure label={`Average per ${ask.unit}`} title={`Over ${plural(days, ask.unit)} with costs`}>
        {amount(average)}
      </Figure>
    </>
  );
}

function Figure({ label, title, children }: { label: string; title?: string; children: React.ReactNode }) {
  return (
    <div title={title}>
      <div className="small muted">{label}</div>
      <div className="num figure">{children}</div>
    </div>
  );
}
