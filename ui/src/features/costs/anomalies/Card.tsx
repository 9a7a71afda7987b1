import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useGraphQL, useOriginInFront } from '@/api';
import { host } from '@/host';
import { Button, Content, CopyLink, Panel, date, dateTimeZone, longDay, money, plural, useNow } from '@/shared';
import { AnomalyChart } from './AnomalyChart';
import { Computed } from './Computed';
import { Drivers } from './Drivers';
import { Nearby } from './Nearby';
import { TicketButton } from './TicketButton';
import { AnomalyDrivers } from './queries';
import { titleOf } from './row';
import type { Row } from './row';
import { VerdictBar } from './VerdictBar';

/** One anomaly: what happened, where it came from, how it was judged, and what the person says of it. */
export function Card({
  row,
  onPrevious,
  onNext,
}: {
  row: Row;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}) {
  const now = useNow();
  const origin = useOriginInFront();
  const query = useGraphQL(AnomalyDrivers, { id: row.id });
  const { currency, worst } = row;
  const days = query.data?.spend_anomaly_drivers?.days;
  return (
    <section className="card" aria-label={titleOf(row)}>
      <div className="body stack" tabIndex={0}>
        <Panel label="What happened" padded>
          <div className="split">
            <span className="row">
              <span className="badge">{row.isOpen ? 'Going on' : `Ended ${date(row.to, now)}`}</span>
              {row.isNew && <span className="badge">New service</span>}
            </span>
            <span className="row">
              <Button
                size="small"
                kind="quiet"
                iconOnly
                aria-label="Previous"
                disabled={!onPrevious}
                onClick={onPrevious}
              >
                <ArrowUp className="i s" />
              </Button>
              <Button size="small" kind="quiet" iconOnly aria-label="Next" disabled={!onNext} onClick={onNext}>
                <ArrowDown className="i s" />
              </Button>
              <CopyLink origin={origin} copy={(text) => host.copy(text)} />
            </span>
          </div>
          <h2 className="ttl">{titleOf(row)}</h2>
          <div className="muted">
            {row.accountId === null ? 'All accounts' : row.account} · {row.days} · usage at contract price · found{' '}
            {dateTimeZone(row.stored.created_at, now)}
          </div>
          <dl className="figures">
            <Figure name={Number(row.impact) < 0 ? 'Less than expected' : 'More than expected'}>
              {money(row.impact, currency, { sign: true })}{' '}
              <span className="muted small">in {plural(row.reference.run.length, 'day')}</span>
            </Figure>
            <Figure name={`On ${longDay(worst.date, now)}`}>{money(worst.actual, currency)}</Figure>
            <Figure name="Expected that day">{money(worst.expected, currency)}</Figure>
          </dl>
          <Content of={{ ...query, data: days }} what="The days could not be read" lines={4}>
            {(found) => <AnomalyChart row={row} days={found} />}
          </Content>
        </Panel>
        <Nearby row={row} />
        <div className="halves">
          <Panel title="Where it came from" meta={`${row.days} against expected`}>
            <Content
              of={{ ...query, data: query.data?.spend_anomaly_drivers?.rows }}
              what="What it consists of could not be read"
              lines={4}
            >
              {(rows) => <Drivers rows={rows} row={row} />}
            </Content>
          </Panel>
          <Computed row={row} />
        </div>
      </div>
      <footer className="foot row wrapping">
        <VerdictBar row={row} />
        <span className="end">
          <TicketButton row={row} />
        </span>
        <Link className="btn" to="/costs/explorer" search={{ from: row.from, to: row.to }}>
          Open in Explorer
        </Link>
      </footer>
    </section>
  );
}

function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="small muted">{name}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}
