import { useRef } from 'react';
import type { KeyboardEvent } from 'react';
import { longDay, month } from '../format/date';
import type { Day } from '../format/date';
import { addDays, addMonths, endOfMonth, startOf, startOfMonth } from './range';
import type { DayRange } from './range';

/** One month of days. Arrow keys move by day and week, Page Up and Down by month; Enter chooses. */
export function Calendar({
  shown,
  range,
  compared,
  focus,
  onFocus,
  onPick,
}: {
  /** Any day of the month to show. */
  shown: Day;
  range: DayRange;
  /** The compared period, underlined. */
  compared: DayRange | null;
  /** The day the keyboard is on. */
  focus: Day;
  onFocus: (day: Day) => void;
  onPick: (day: Day) => void;
}) {
  const grid = useRef<HTMLDivElement>(null);
  const first = startOfMonth(shown);
  const blanks = Math.round((Date.parse(first) - Date.parse(startOf('week', first))) / 86_400_000);
  const days: Day[] = [];
  for (let day = first; day <= endOfMonth(first); day = addDays(day, 1)) days.push(day);

  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, Day> = {
      ArrowLeft: addDays(focus, -1),
      ArrowRight: addDays(focus, 1),
      ArrowUp: addDays(focus, -7),
      ArrowDown: addDays(focus, 7),
      PageUp: addMonths(focus, -1),
      PageDown: addMonths(focus, 1),
    };
    const next = steps[event.key];
    if (!next) return;
    event.preventDefault();
    onFocus(next);
    const root = grid.current?.closest('[data-calendars]');
    requestAnimationFrame(() => {
      root?.querySelector<HTMLButtonElement>(`[data-day="${next}"]`)?.focus();
    });
  };

  const classOf = (day: Day) => {
    const inside = day >= range.from && day <= range.to;
    return [
      inside && 'in-r',
      (day === range.from || day === range.to) && 'end-r',
      day === range.from && 'a',
      day === range.to && 'z',
      compared && day >= compared.from && day <= compared.to && 'cmp',
    ]
      .filter(Boolean)
      .join(' ');
  };

  return (
    <div>
      <div className="strong center">{month(first)}</div>
      <div className="cal" role="group" aria-label={month(first)} onKeyDown={onKeyDown} ref={grid}>
        {['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'].map((name) => (
          <span key={name} className="wd" aria-hidden="true">
            {name}
          </span>
        ))}
        {Array.from({ length: blanks }, (_, i) => (
          <span key={i} />
        ))}
        {days.map((day) => (
          <button
            key={day}
            type="button"
            className={classOf(day)}
            data-day={day}
            aria-label={longDay(day)}
            aria-pressed={day === range.from || day === range.to}
            tabIndex={day === focus ? 0 : -1}
            onClick={() => {
              onPick(day);
            }}
          >
            {Number(day.slice(8))}
          </button>
        ))}
      </div>
    </div>
  );
}
