import { Calendar as CalendarIcon, ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react';
import { Fragment, useState } from 'react';
import { Button } from '../controls/Button';
import { Check } from '../controls/Check';
import { Popup } from '../controls/Popup';
import { range as words } from '../format/date';
import type { Day } from '../format/date';
import { Calendar } from './Calendar';
import { addMonths, isDay, presets, previous, startOfMonth } from './range';
import type { DayRange } from './range';

/**
 * A chip that opens presets, two months and fields. Presets act at once; days and comparison wait for Apply.
 *
 * Leave out `compare` where there is no comparison. `extent` offers all days that hold data as a preset;
 * `named` offers ranges of the page's own in its place.
 */
export function DateRangePicker({
  value,
  today,
  extent,
  named,
  compare,
  onChange,
}: {
  value: DayRange;
  today: Day;
  extent?: DayRange | null;
  named?: readonly { name: string; range: DayRange }[];
  compare?: boolean;
  onChange: (range: DayRange, compare: boolean) => void;
}) {
  const [open, setOpen] = useState(false);
  return (
    <Popup
      label="Date range"
      open={open}
      onOpen={setOpen}
      trigger={
        <button type="button" className="chip" aria-label={`Date range ${words(value.from, value.to)}`}>
          <CalendarIcon className="i" />
          {words(value.from, value.to)}
          <ChevronDown className="i" />
        </button>
      }
    >
      <Picker
        value={value}
        today={today}
        named={named ?? (extent ? [{ name: 'All imported days', range: extent }] : [])}
        compare={compare}
        onCancel={() => {
          setOpen(false);
        }}
        onChange={(range, compared) => {
          setOpen(false);
          onChange(range, compared);
        }}
      />
    </Popup>
  );
}

function Picker({
  value,
  today,
  named,
  compare,
  onChange,
  onCancel,
}: {
  value: DayRange;
  today: Day;
  named: readonly { name: string; range: DayRange }[];
  compare: boolean | undefined;
  onChange: (range: DayRange, compare: boolean) => void;
  onCancel: () => void;
}) {
  const [draft, setDraft] = useState(value);
  const [compared, setCompared] = useState(compare ?? false);
  const [half, setHalf] = useState(false);
  const [focus, setFocus] = useState(value.to);
  const [right, setRight] = useState(startOfMonth(value.to));
  const move = (day: Day) => {
    setFocus(day);
    if (startOfMonth(day) > right || startOfMonth(day) < addMonths(right, -1)) setRight(startOfMonth(day));
  };
  // The first click starts a range, the second ends it, in either order.
  const pick = (day: Day) => {
    setFocus(day);
    if (!half) setDraft({ from: day, to: day });
    else setDraft(day < draft.from ? { from: day, to: draft.from } : { from: draft.from, to: day });
    setHalf(!half);
  };
  const valid = isDay(draft.from) && isDay(draft.to) && draft.from <= draft.to;
  const comparison = compared && valid ? previous(draft) : null;
  const list = [
    { heading: 'Up to the latest costs', entries: named },
    { heading: 'Up to today', entries: presets(today) },
  ].filter(({ entries }) => entries.length > 0);
  return (
    <div className="daterange">
      <div className="row start">
        <div className="menu">
          {list.map(({ heading, entries }) => (
            <Fragment key={heading}>
              {list.length > 1 && <span className="grp">{heading}</span>}
              {entries.map((preset) => (
                <button
                  key={preset.name}
                  type="button"
                  className="it"
                  title={words(preset.range.from, preset.range.to)}
                  aria-pressed={preset.range.from === value.from && preset.range.to === value.to}
                  onClick={() => {
                    onChange(preset.range, compared);
                  }}
                >
                  {preset.name}
                </button>
              ))}
            </Fragment>
          ))}
        </div>
        <div className="days" data-calendars="">
          <div className="months">
            <Button
              size="small"
              kind="quiet"
              iconOnly
              aria-label="Earlier"
              onClick={() => {
                setRight(addMonths(right, -1));
              }}
            >
              <ChevronLeft className="i s" />
            </Button>
            {[addMonths(right, -1), right].map((shown) => (
              <Calendar
                key={shown}
                shown={shown}
                range={draft}
                compared={comparison}
                focus={focus}
                onFocus={move}
                onPick={pick}
              />
            ))}
            <Button
              size="small"
              kind="quiet"
              iconOnly
              aria-label="Later"
              onClick={() => {
                setRight(addMonths(right, 1));
              }}
            >
              <ChevronRight className="i s" />
            </Button>
          </div>
          <div className="row">
            <input
              type="date"
              className="in num"
              aria-label="From"
              value={draft.from}
              onChange={(event) => {
                setDraft({ ...draft, from: event.target.value });
              }}
            />
            <span className="muted">to</span>
            <input
              type="date"
              className="in num"
              aria-label="To"
              value={draft.to}
              onChange={(event) => {
                setDraft({ ...draft, to: event.target.value });
              }}
            />
            <span className="small muted">UTC</span>
          </div>
          {!valid && <span className="err">The range must end on or after the day it begins.</span>}
        </div>
      </div>
      <div className="pf">
        {compare !== undefined && (
          <Check
            label={
              comparison ? `Compare with ${words(comparison.from, comparison.to)}` : 'Compare with the previous period'
            }
            checked={compared}
            onChange={setCompared}
          />
        )}
        <span className="row end">
          <Button size="small" onClick={onCancel}>
            Cancel
          </Button>
          <Button
            size="small"
            kind="primary"
            disabled={!valid}
            onClick={() => {
              onChange(draft, compared);
            }}
          >
            Apply
          </Button>
        </span>
      </div>
    </div>
  );
}
