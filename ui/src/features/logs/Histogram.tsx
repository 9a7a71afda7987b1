import { count, dateTime, dateTimeZone, useNow } from '@/shared';
import { levels } from './lines';
import type { Level } from './lines';

/** Log lines by time and level, in equal intervals. */
export function Histogram({
  bars,
  from,
  until,
}: {
  bars: readonly Readonly<Record<Level, number>>[];
  from: number;
  until: number;
}) {
  const now = useNow();
  const parts = bars.length;
  const highest = Math.max(1, ...bars.map(sum));
  const all = bars.reduce((many, bar) => many + sum(bar), 0);
  const errors = bars.reduce((many, { error }) => many + error, 0);
  const time = (at: number) => dateTime(new Date(at), now);
  const end = dateTimeZone(new Date(until), now);
  return (
    <div
      className="histogram"
      role="img"
      aria-label={`${count(all)} lines from ${time(from)} to ${end}, ${count(errors)} of them errors, at most ${count(highest)} in ${String(Math.round((until - from) / parts / 1000))} s`}
    >
      <div className="bars" aria-hidden="true">
        {bars.map((bar, at) => (
          <span
            key={at}
            title={`${dateTimeZone(new Date(from + (at * (until - from)) / parts), now)}: ${count(sum(bar))} lines`}
          >
            {levels
              .toReversed()
              .filter((level) => bar[level] > 0)
              .map((level) => (
                <i key={level} className={level} style={{ height: `${String((bar[level] / highest) * 100)}%` }} />
              ))}
          </span>
        ))}
      </div>
      <div className="split micro muted" aria-hidden="true">
        <span>{time(from)}</span>
        <span>{end}</span>
      </div>
    </div>
  );
}

function sum(bar: Record<Level, number>): number {
  return bar.error + bar.warn + bar.info + bar.debug;
}
