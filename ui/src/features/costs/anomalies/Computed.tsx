import { Copy } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { host } from '@/host';
import { Button, Panel, Select, compare, plural, ratio, subtract, toast, useToday } from '@/shared';
import type { Numeric } from '@/shared';
import { exactOf, stepName } from './amount';
import { ComparedDays, OrdinaryDays, OwnDays, UnrestDays } from './DayTables';
import { floorOf } from './floor';
import { normalOf } from './normal';
import type { Comparison, HeededVerdicts, Row } from './row';

/** The computation for one day, step by step, so that it can be repeated with a calculator: the first day, or the selected one. */
export function Computed({ row }: { row: Row }) {
  const now = useToday();
  const [chosen, setChosen] = useState('');
  const { reference } = row;
  const { run } = reference;
  const day = run.find(({ date, compared }) => date === chosen && compared !== null) ?? run[0];
  if (!day) return null;
  const of = day.compared ?? reference;
  const amount = (value: Numeric | null) => exactOf(row, value);
  const unit = row.isHourly ? 'hour' : 'day';
  const { bar } = reference;
  const distance = distanceOf(day.actual, of);
  const times = ratio(distance, of.spread);
  const normal = normalOf(row, of);
  const isWeighted = of.values.some(({ weight }) => compare(weight, 1) !== 0);
  const floor = floorOf(row, of);
  const judged = run.filter(({ compared }, at) => at === 0 || compared !== null);
  return (
    <Panel
      title="How this was computed"
      meta={judged.length > 1 ? undefined : stepName(day.date, now)}
      actions={
        <>
          {judged.length > 1 && (
            <Select
              label={row.isHourly ? 'Hour' : 'Day'}
              value={day.date}
              options={judged.map(({ date }) => ({ value: date, label: stepName(date, now) }))}
              onChange={setChosen}
            />
          )}
          <Button
            size="small"
            onClick={() => {
              void host.copy(JSON.stringify(row.stored.reference_value, null, 2)).then(() => {
                toast({ tone: 'ok', text: 'Copied the numbers as JSON' });
              });
            }}
          >
            <Copy className="i s" />
            Copy
          </Button>
        </>
      }
    >
      <ol className="judgement">
        <Step name={`Rule ${of.rule}: the median of ${plural(of.values.length, unit)}`} value={amount(of.expected)}>
          {isWeighted ? `Values times their weight, which adjusts ${leveled(of.rule)}` : 'The expected value'}
        </Step>
        {of.high === null ? (
          <>
            <Step name="Typical distance from it (MAD)" value={amount(of.mad)}>
              The median of the distances of these {unit}s
            </Step>
            <Step name="Spread" value={amount(of.spread)}>
              The larger of 1.4826 × MAD and the floor of {amount(of.floor)}, {floor}
            </Step>
            <Step name={`Distance on ${stepName(day.date, now)}`} value={amount(distance)}>
              {times === null ? '' : `${times.toFixed(1)} times the spread; `}more than {String(of.factor)} times counts
              {raised(of.verdicts, String(of.verdicts?.factor))}, from {String(of.min_percent)}%
              {compare(of.min_amount, 0) > 0 && ` and ${amount(of.min_amount)}`} on
            </Step>
          </>
        ) : (
          <>
            <Step name="Lowest and highest of these days" value={`${amount(of.low)} – ${amount(of.high)}`}>
              A value counts when it is beyond them by more than the margin
            </Step>
            <Step name="Margin" value={amount(of.margin)}>
              10% of the range between them{raised(of.verdicts, amount(of.verdicts?.margin ?? null))}
            </Step>
            <Step name={`Distance on ${stepName(day.date, now)}`} value={amount(distance)}>
              From the expected value; it counts from {String(of.min_percent)}%
              {compare(of.min_amount, 0) > 0 && ` and ${amount(of.min_amount)}`} on
            </Step>
          </>
        )}
        {of.ordinary && (
          <Step name="Distance among days of its weekday" value={amount(distanceOf(day.actual, of.ordinary))}>
            From {amount(of.ordinary.expected)}, with a spread of {amount(of.ordinary.spread)}; more than{' '}
            {String(of.ordinary.factor)} times counts there as well
          </Step>
        )}
        <Step name="Normal range" value={`${amount(normal.low)} – ${amount(normal.high)}`}>
          {row.isNew
            ? 'A new service counts from the upper end on'
            : `The expected value, plus or minus the largest of ${of.high === null ? 'the factor times the spread' : 'the extremes with their margin'}, the share and the amount`}
        </Step>
        {bar && (
          <Step
            name={`Your rule: ${bar.unit} of the ${bar.period} before`}
            value={`${operatorSigns[bar.operator] ?? bar.operator} ${amount(bar.bound)}`}
          >
            {amount(bar.value)} and {String(bar.buffer)}% of it; each {unit} must be beyond that as well
          </Step>
        )}
      </ol>
      <NotCompared row={row} />
      {reference.verdicts && day !== run[0] && (
        <p className="small muted">
          False alarms have raised the threshold for the first {unit}, not for later {unit}s.
        </p>
      )}
      <ComparedDays row={row} of={of} isWeighted={isWeighted} />
      <OrdinaryDays row={row} of={of} />
      <UnrestDays row={row} of={of} />
      {of.ordinary && <UnrestDays row={row} of={of.ordinary} />}
      <OwnDays row={row} />
    </Panel>
  );
}

function distanceOf(actual: Numeric, { expected }: Comparison): Numeric {
  return compare(actual, expected) < 0 ? subtract(expected, actual) : subtract(actual, expected);
}

/** The amount that earlier false alarms have added to `plain`. */
function raised(verdicts: HeededVerdicts | null, plain: string): string {
  if (!verdicts) return '';
  return ` (${plain}, and half as much more for ${plural(verdicts.wrong, 'false alarm')} before)`;
}

/** Names later days whose comparison is not stored, with the reason. */
function NotCompared({ row: { reference, isNew, isHourly } }: { row: Row }) {
  const now = useToday();
  const { run, leftOut } = reference;
  const later = isHourly ? 'later hours' : 'later days';
  if (leftOut) {
    return (
      <p className="small muted">
        The comparison for {later} is not stored from {stepName(leftOut.from, now)} on.
      </p>
    );
  }
  if (isNew || run.slice(1).every(({ compared }) => compared !== null)) return null;
  return <p className="small muted">The comparison for {later} was not stored then. The next import stores it.</p>;
}

const operatorSigns: Partial<Record<string, string>> = { GT: '>', GTE: '≥', LT: '<', LTE: '≤' };

function Step({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <li>
      <span className="split">
        <span>{name}</span>
        <b className="num">{value}</b>
      </span>
      <span className="small muted">{children}</span>
    </li>
  );
}

/** The purpose of the weights. */
function leveled(rule: string): string {
  return rule.endsWith('month starts') ? 'earlier month starts to today’s level' : 'weekends and weekdays to one level';
}
