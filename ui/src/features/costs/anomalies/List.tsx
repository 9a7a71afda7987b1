import { TriangleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Spark, money, useCommands } from '@/shared';
import { amountOf } from './amount';
import { metricOf, verdictNames } from './row';
import type { Row } from './row';

/** The anomalies, one button each. */
export function List({
  rows,
  unjudged,
  openId,
  onOpen,
}: {
  rows: readonly Row[];
  unjudged: number;
  openId: string | undefined;
  onOpen: (row: Row) => void;
}) {
  const list = useRef<HTMLElement>(null);
  const at = rows.findIndex(({ id }) => id === openId);
  const step = (by: number) => {
    const next = rows[at + by];
    if (next) onOpen(next);
  };
  const keyed = (id: string, title: string, keys: string, by: number) => ({
    id: `anomaly ${id}`,
    title,
    group: 'Rows' as const,
    keys,
    keysOnly: true,
    run: () => {
      step(by);
    },
  });
  useCommands([keyed('next', 'Next row', 'j', 1), keyed('previous', 'Previous row', 'k', -1)]);
  useEffect(() => {
    // jsdom does not implement it.
    list.current?.querySelector('[aria-current]')?.scrollIntoView?.({ block: 'nearest' });
  }, [openId]);
  return (
    <section className="list" aria-label="List of anomalies" ref={list}>
      <div className="head split">
        <span>
          <b className="num">{unjudged}</b> <span className="muted">without a verdict</span>
        </span>
        <span className="muted small">open first, then newest</span>
      </div>
      {rows.map((row) => (
        <button
          key={row.id}
          type="button"
          className="an"
          aria-current={row.id === openId ? 'true' : undefined}
          onClick={() => {
            onOpen(row);
          }}
        >
          <span className="split">
            <b className="cut" title={row.name}>
              {row.name}
            </b>
            <b className="num">
              {row.kind === 'cost'
                ? money(row.impact, row.currency, { whole: true, sign: true })
                : amountOf(row, row.worst.actual)}
            </b>
          </span>
          <span className="split">
            <span className="small muted cut" title={placeOf(row)}>
              {placeOf(row)}
            </span>
            <Spark values={sparkOf(row)} width={54} height={16} />
          </span>
          <span className="small row">
            {row.verdict === null ? (
              <>
                <TriangleAlert className="i s warn" />
                <span>
                  No verdict<span className="muted">, {row.isOpen ? 'going on' : 'over'}</span>
                </span>
              </>
            ) : (
              verdictNames[row.verdict]
            )}
          </span>
        </button>
      ))}
      {rows.length === 0 && <p className="muted none">No anomalies match. Try another period or fewer filters.</p>}
    </section>
  );
}

/** Time and scope; for metrics also the metric. */
function placeOf(row: Row): string {
  const what = row.kind === 'metric' ? `${metricOf(row)}, ` : row.kind === 'events' ? 'Events, ' : '';
  return `${what}${row.days}, ${row.account}`;
}

const sparks = new WeakMap<Row, readonly (number | string)[]>();

/** The days that were compared with, then those of the anomaly. */
function sparkOf(row: Row) {
  const known = sparks.get(row);
  if (known) return known;
  const values = [...row.reference.values.map(({ value }) => value), ...row.reference.run.map(({ actual }) => actual)];
  sparks.set(row, values);
  return values;
}
