import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { host } from '@/host';
import { Button, Panel, compare, plural, ratio, subtract, toast, useToday } from '@/shared';
import type { Numeric } from '@/shared';
import { exactOf, stepName } from './amount';
import { ComparedDays, OwnDays } from './DayTables';
import { floorOf } from './floor';
import { normalOf } from './normal';
import type { Row } from './row';

/** How the first day was judged, step by step, so that a person comes to the same with a calculator. */
export function Computed({ row }: { row: Row }) {
  const now = useToday();
  const { reference } = row;
  const [first] = reference.run;
  if (!first) return null;
  const amount = (value: Numeric | null) => exactOf(row, value);
  const unit = row.isHourly ? 'hour' : 'day';
  const { bar } = reference;
  const distance =
    compare(first.actual, reference.expected) < 0
      ? subtract(reference.expected, first.actual)
      : subtract(first.actual, reference.expected);
  const times = ratio(distance, reference.spread);
  const normal = normalOf(row);
  const isWeighted = reference.values.some(({ weight }) => compare(weight, 1) !== 0);
  const floor = floorOf(row);
  return (
    <Panel
      title="How this was judged"
      meta={stepName(first.date, now)}
      actions={
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
      }
    >
      <ol className="judgement">
        <Step
          name={`Rule ${reference.rule}: the median of ${plural(reference.values.length, unit)}`}
          value={amount(reference.expected)}
        >
          {isWeighted ? `Values times their weight, which brings ${leveled(reference.rule)}` : 'What is expected'}
        </Step>
        {reference.high === null ? (
          <>
            <Step name="Typical distance from it (MAD)" value={amount(reference.mad)}>
              The median of the distances of these {unit}s
            </Step>
            <Step name="Spread" value={amount(reference.spread)}>
              The larger of 1.4826 × MAD and the floor of {amount(reference.floor)}, {floor}
            </Step>
            <Step name={`Distance on ${stepName(first.date, now)}`} value={amount(distance)}>
              {times === null ? '' : `${times.toFixed(1)} times the spread; `}more than {String(reference.factor)} times
              counts, from {String(reference.min_percent)}%
              {compare(reference.min_amount, 0) > 0 && ` and ${amount(reference.min_amount)}`} on
            </Step>
          </>
        ) : (
          <>
            <Step
              name="Lowest and highest of these days"
              value={`${amount(reference.low)} – ${amount(reference.high)}`}
            >
              A new extreme lies beyond them by more than the margin
            </Step>
            <Step name="Margin" value={amount(reference.margin)}>
              10% of what lies between them
            </Step>
            <Step name={`Distance on ${stepName(first.date, now)}`} value={amount(distance)}>
              From what is expected; it counts from {String(reference.min_percent)}%
              {compare(reference.min_amount, 0) > 0 && ` and ${amount(reference.min_amount)}`} on
            </Step>
          </>
        )}
        <Step name="Normal range" value={`${amount(normal.low)} – ${amount(normal.high)}`}>
          {row.isNew
            ? 'A new service is told from its upper end on'
            : `What is expected, and as far from it as ${reference.high === null ? 'the factor times the spread' : 'the extremes with their margin'}, the share and the amount allow`}
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
      <ComparedDays row={row} isWeighted={isWeighted} />
      <OwnDays row={row} />
    </Panel>
  );
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

/** What weights are for. */
function leveled(rule: string): string {
  return rule.endsWith('month starts')
    ? 'earlier month starts to the level of today'
    : 'weekends and weekdays to one level';
}
