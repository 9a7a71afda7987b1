import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { Chart, Panel, Segmented, money, moneyTick, plural, range, useToday } from '@/shared';
import type { Series } from '@/shared';
import type { Change } from './Explorer';
import { Figures } from './Figures';
import { namesOf } from './dimension';
import type { View } from './load';
import { marksOf, useAnomalies } from './marks';
import { metrics } from './metric';
import { within } from './period';
import type { ExplorerSearch } from './search';
import { running, totalOf } from './series';

/** More are on the page of anomalies. */
const mostMarks = 4;

const kinds = [
  { value: 'stacked', label: 'Stacked' },
  { value: 'lines', label: 'Lines' },
  { value: 'total', label: 'Running total' },
] as const;

/** Key figures and chart; clicking a bar zooms into its days. */
export function CostChart({
  view,
  cells,
  series,
  search,
  several,
  change,
}: {
  view: View;
  cells: View['cells'];
  series: readonly Series[];
  search: ExplorerSearch;
  several: boolean;
  change: Change;
}) {
  const { ask, currency, days, daysBefore, before } = view;
  const { only } = search;
  const kind = search.chart ?? 'stacked';
  const now = useToday();
  const drawn = useMemo<readonly Series[]>(() => {
    if (kind !== 'total') return series;
    const values = running(totalOf(view, cells, only));
    return [{ id: 'total', label: only ? 'Selected' : 'Running total', color: 'total', values }];
  }, [kind, series, view, cells, only]);
  const comparison = useMemo(() => {
    if (!before || !ask.before || before.total === null) return undefined;
    // Only the total of the previous period is loaded: next to a selection it would compare different things.
    if (only) return undefined;
    const values = kind === 'total' ? running(before.units) : before.units;
    return {
      label: range(ask.before.from, ask.before.to, now),
      days: days.map((_, i) => daysBefore[i] ?? null),
      values: days.map((_, i) => values[i] ?? null),
    };
  }, [before, ask.before, days, daysBefore, kind, only, now]);
  const anomalies = useAnomalies(ask.range);
  const marks = useMemo(
    () => (kind === 'total' ? [] : marksOf(anomalies, { ...ask, currency })),
    [kind, anomalies, ask, currency],
  );
  const what = kind === 'total' ? 'Running total of' : kind === 'lines' ? 'Lines of' : 'Stacked bars of';
  const split = kind === 'total' ? '' : ` by ${namesOf(ask.by).one}`;
  return (
    <Panel label="Chart" className="chartpanel">
      <div className="figs">
        <Figures view={view} several={several} />
        <Segmented
          label="Chart type"
          value={kind}
          options={kinds}
          onChange={(next) => {
            change({ chart: next === 'stacked' ? undefined : next });
          }}
        />
      </div>
      <Chart
        label={`${what} ${metrics[ask.metric].long.toLowerCase()}${split} per ${ask.unit}, ${range(ask.range.from, ask.range.to, now)}, ${plural(days.length, ask.unit)}.`}
        days={days}
        unit={ask.unit}
        kind={kind === 'stacked' ? 'stacked' : 'lines'}
        series={drawn}
        {...(comparison ? { comparison } : {})}
        format={(value) => money(value, currency, { several })}
        formatTick={(value) => moneyTick(value, currency)}
        height={216}
        {...(marks.length > 0 ? { marks } : {})}
        onZoom={(first, last) => {
          change({
            from: within(ask.range, ask.unit, first).from,
            to: within(ask.range, ask.unit, last).to,
            unit: undefined,
          });
        }}
        onPick={(day) => {
          const { from, to } = within(ask.range, ask.unit, day);
          change({ from, to, unit: undefined });
        }}
      />
      {marks.length > 0 && (
        <ul className="chartmarks" aria-label="Anomalies on these days">
          {marks.slice(0, mostMarks).map((mark) => (
            <li key={mark.id}>
              <Link to="/costs/anomalies" search={{ id: mark.id }}>
                <TriangleAlert className="i s" />
                {mark.text}
              </Link>
            </li>
          ))}
          {marks.length > mostMarks && (
            <li>
              <Link to="/costs/anomalies">{`${String(marks.length - mostMarks)} more`}</Link>
            </li>
          )}
        </ul>
      )}
    </Panel>
  );
}
