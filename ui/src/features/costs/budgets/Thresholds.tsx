import { Plus, Trash2 } from 'lucide-react';
import { Button, Status, date, useNow } from '@/shared';
import type { Threshold } from './draft';
import type { Budget } from './queries';
import { words } from './words';

/** The thresholds, with the day each was reached. */
export function Thresholds({
  value,
  told,
  known,
  problem,
  disabled,
  onChange,
}: {
  value: readonly Threshold[];
  /** The state of the stored thresholds. */
  told: Budget['thresholds'];
  /** The last day with charges. */
  known: string | null;
  problem: string | undefined;
  disabled: boolean;
  onChange: (thresholds: Threshold[]) => void;
}) {
  const now = useNow();
  const put = (at: number, to: Partial<Threshold>) => {
    onChange(value.map((threshold, place) => (place === at ? { ...threshold, ...to } : threshold)));
  };
  const became = ({ percent, on }: Threshold) => {
    const found = told.find((one) => String(one.percent) === percent.trim() && one.on === on);
    if (!found) return null;
    const day = found.reached_on;
    if (day === null) return words.panel.notReached;
    const text = date(day, now);
    return known !== null && day > known ? words.panel.expected(text) : words.panel.reached(text);
  };
  return (
    <section className="sec">
      <h3>{words.panel.thresholds}</h3>
      <div className="panel thresholds">
        {value.map((threshold, at) => (
          <div key={at} className="threshold">
            <div className="row">
              <select
                className="sel"
                aria-label={words.panel.kind}
                value={threshold.on}
                disabled={disabled}
                onChange={(event) => {
                  put(at, { on: event.target.value === 'forecast' ? 'forecast' : 'actual' });
                }}
              >
                <option value="actual">{words.panel.actual}</option>
                <option value="forecast">{words.panel.forecast}</option>
              </select>
              <span className="muted">{words.panel.at}</span>
              <span className="join percent">
                <input
                  className="in num"
                  inputMode="decimal"
                  aria-label={words.panel.percent}
                  aria-invalid={problem ? true : undefined}
                  value={threshold.percent}
                  disabled={disabled}
                  onChange={(event) => {
                    put(at, { percent: event.target.value });
                  }}
                />
                <span className="btn unit">%</span>
              </span>
              {!disabled && (
                <Button
                  kind="quiet"
                  iconOnly
                  aria-label={words.panel.removeThreshold(threshold.percent)}
                  onClick={() => {
                    onChange(value.filter((_, place) => place !== at));
                  }}
                >
                  <Trash2 className="i" />
                </Button>
              )}
            </div>
            <div className="small muted">{became(threshold)}</div>
          </div>
        ))}
        {!disabled && (
          <div className="threshold">
            <Button
              size="small"
              onClick={() => {
                onChange([...value, { percent: '', on: 'actual' }]);
              }}
            >
              <Plus className="i" />
              {words.panel.addThreshold}
            </Button>
          </div>
        )}
      </div>
      {problem && <Status tone="bad">{problem}</Status>}
    </section>
  );
}
