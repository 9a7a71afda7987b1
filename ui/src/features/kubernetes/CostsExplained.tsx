import { ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { Button, Fact, Popup, range, ratio, share, useNow } from '@/shared';
import { amounts, isNothing } from './costs';
import type { Costs, Kind, Sums } from './costs';
import { prices, unscaled } from './words';

const kinds: readonly Kind[] = ['WORK', 'IDLE', 'SHARED', 'UNASSIGNED'];

/** So many nodes are named. */
const mostNamed = 8;

/** The share of amounts in a total; null for several currencies. */
export function partOf(part: Sums | undefined, whole: Sums): number | null {
  const [currency, all] = [...whole][0] ?? [];
  const value = currency === undefined ? undefined : part?.get(currency);
  return whole.size === 1 && value !== undefined && all !== undefined ? ratio(value, all) : null;
}

/** Names, as many as are read. */
function named(names: readonly string[]): string {
  const rest = names.length - mostNamed;
  return [...names.slice(0, mostNamed), ...(rest > 0 ? [`${String(rest)} more`] : [])].join(', ');
}

/** The source of the prices of a cluster's costs, and how they add up. */
export function CostsExplained({ costs }: { costs: Costs }) {
  const now = useNow();
  const [isOpen, setOpen] = useState(false);
  const { bill, kinds: found, whole, beside } = costs;
  const days = range(costs.days.from, costs.days.to, now);
  return (
    <Popup
      label={prices.title}
      open={isOpen}
      onOpen={setOpen}
      trigger={
        <Button size="small">
          <ReceiptText className="i s" />
          {bill ? prices.bill(days) : prices.tool(days)}
        </Button>
      }
    >
      <div className="k8s-costs">
        <h3>{prices.title}</h3>
        <p className="small">{bill ? prices.scaled : prices.unscaled}</p>
        {!bill && costs.reason && <p className="small">{unscaled[costs.reason]?.(named(costs.about))}</p>}
        {bill && (
          <dl className="kv">
            <Fact name={`Billed for ${bill.nodes === 1 ? 'the node' : `${String(bill.nodes)} nodes`}`}>
              {amounts(bill.billed)}
            </Fact>
            <Fact name="The same at the tool’s prices">{amounts(bill.tool)}</Fact>
            <Fact name="Factor">{bill.factor}</Fact>
          </dl>
        )}
        <dl className="kv sums">
          {kinds
            .filter((kind) => !isNothing(found.get(kind)))
            .map((kind) => (
              <Fact key={kind} name={prices.kinds[kind]}>
                <Amount of={found.get(kind)} whole={whole} />
              </Fact>
            ))}
          <Fact name={bill ? 'Total: the bill of the nodes' : 'Total'}>
            <b>{amounts(whole)}</b>
          </Fact>
        </dl>
        {bill && <p className="small muted">{prices.rounding}</p>}
        {bill && !isNothing(bill.leftOut) && <p className="small">{prices.leftOut(amounts(bill.leftOut))}</p>}
        {bill && !isNothing(beside) && (
          <>
            <dl className="kv">
              <Fact name={prices.beside}>{amounts(beside)}</Fact>
            </dl>
            <p className="small muted">{prices.besideHelp}</p>
          </>
        )}
      </div>
    </Popup>
  );
}

function Amount({ of, whole }: { of: Sums | undefined; whole: Sums }) {
  const part = partOf(of, whole);
  return (
    <>
      {amounts(of)}
      {part !== null && <span className="muted"> {share(part)}</span>}
    </>
  );
}
