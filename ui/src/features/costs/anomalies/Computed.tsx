import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { host } from '@/host';
import { Button, Panel, compare, longDay, money, plural, ratio, subtract, toast, useToday } from '@/shared';
import type { Numeric } from '@/shared';
import { normalOf } from './normal';
import type { Row } from './row';

/** How the first day was judged, step by step, so that a person comes to the same with a calculator. */
export function Computed({ row }: { row: Row }) {
  const now = useToday();
  const { reference, currency } = row;
  const [first] = reference.run;
  if (!first) return null;
  const amount = (value: Numeric | null) => money(value, currency);
  const distance =
    compare(first.actual, reference.expected) < 0
      ? subtract(reference.expected, first.actual)
      : subtract(first.actual, reference.expected);
  const times = ratio(distance, reference.spread);
  const normal = normalOf(row);
  const isWeighted = reference.values.some(({ weight }) => compare(weight, 1) !== 0);
  return (
    <Panel
      title="How this was judged"
      meta={longDay(first.date, now)}
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
          name={`Rule ${reference.rule}: the median of ${plural(reference.values.length, 'day')}`}
          value={amount(reference.expected)}
        >
          {isWeighted ? `Values times their weight, which brings ${leveled(reference.rule)}` : 'What is expected'}
        </Step>
        {reference.high === null ? (
          <>
            <Step name="Typical distance from it (MAD)" value={amount(reference.mad)}>
              The median of the distances of these days
            </Step>
            <Step name="Spread" value={amount(reference.spread)}>
              The larger of 1.4826 × MAD and the floor of {amount(reference.floor)}
            </Step>
            <Step name={`Distance on ${longDay(first.date, now)}`} value={amount(distance)}>
              {times === null ? '' : `${times.toFixed(1)} times the spread; `}more than {String(reference.factor)} times
              counts, from {String(reference.min_percent)}% and {amount(reference.min_amount)} on
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
            <Step name={`Distance on ${longDay(first.date, now)}`} value={amount(distance)}>
              From what is expected; it counts from {String(reference.min_percent)}% and {amount(reference.min_amount)}{' '}
              on
            </Step>
          </>
        )}
        <Step name="Normal range" value={`${amount(normal.low)} – ${amount(normal.high)}`}>
          {row.isNew
            ? 'A new service is told from its upper end on'
            : `What is expected, and as far from it as ${reference.high === null ? 'the factor times the spread' : 'the extremes with their margin'}, the share and the amount allow`}
        </Step>
      </ol>
      <details className="compared">
        <summary>The days it was compared with</summary>
        <table className="tbl compact tight">
          <tbody>
            {reference.values.map((one) => (
              <tr key={one.date}>
                <th scope="row">{longDay(one.date)}</th>
                <td className="n num">{amount(one.value)}</td>
                <td className="n num muted">{isWeighted ? `× ${String(one.weight)}` : ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Panel>
  );
}

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
