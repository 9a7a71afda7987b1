import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useGraphQL, useOriginInFront } from '@/api';
import { host } from '@/host';
import { Button, Content, CopyLink, Panel, date, dateTimeZone, money, plural, useNow } from '@/shared';
import type { Filter } from '@/shared';
import { amountOf, stepName } from './amount';
import { AnomalyChart, ownDays } from './AnomalyChart';
import { Computed } from './Computed';
import { Drivers } from './Drivers';
import { newLevelOf } from './level';
import type { Level } from './level';
import { EventsAround } from './EventsAround';
import { TicketButton } from './TicketButton';
import { AnomalyDrivers } from './queries';
import { metricOf, titleOf } from './row';
import type { Row } from './row';
import { VerdictBar } from './VerdictBar';

/** One anomaly: what happened, its contributors, how it was computed, and the user's verdict. */
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
  const { currency, worst, kind } = row;
  const isCost = kind === 'cost';
  const query = useGraphQL(AnomalyDrivers, { id: row.id }, { enabled: isCost });
  const days = query.data?.spend_anomaly_drivers?.days;
  const steps = plural(row.reference.run.length, row.isHourly ? 'hour' : 'day');
  const filters = filtersOf(row);
  return (
    <section className="card" aria-label={titleOf(row)}>
      <div className="body stack" tabIndex={0}>
        <Panel label="What happened" padded>
          <div className="split">
            <span className="row">
              <span className="badge">{row.isOpen ? 'Going on' : `Ended ${date(row.to, now)}`}</span>
              {row.isNew && <span className="badge">New service</span>}
              {row.tag && (
                <span className="badge">
                  Tag {row.tag.key}: {row.tag.value}
                </span>
              )}
              {!isCost && <span className="badge">{kind === 'events' ? 'Events' : metricOf(row)}</span>}
              {row.isHourly && <span className="badge">By the hour</span>}
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
            {row.accountId === null ? 'All accounts' : row.account} · {row.days} ·{' '}
            {isCost ? 'usage at contract price' : sourceOf(row)} · found {dateTimeZone(row.stored.created_at, now)}
          </div>
          <dl className="figures">
            {isCost && (
              <Figure name={Number(row.impact) < 0 ? 'Less than expected' : 'More than expected'}>
                {money(row.impact, currency, { sign: true })} <span className="muted small">in {steps}</span>
              </Figure>
            )}
            <Figure name={`On ${stepName(worst.date, now)}`}>{amountOf(row, worst.actual)}</Figure>
            <Figure name={row.isHourly ? 'Expected that hour' : 'Expected that day'}>
              {amountOf(row, worst.expected)}
            </Figure>
            {!isCost && <Figure name="Out of the ordinary">{steps}</Figure>}
          </dl>
          {isCost ? (
            <Content of={{ ...query, data: days }} what="The days could not be read" lines={4}>
              {(found) => (
                <>
                  <AnomalyChart row={row} days={found} />
                  <NewLevel row={row} level={newLevelOf(row, found)} />
                </>
              )}
            </Content>
          ) : (
            <AnomalyChart row={row} days={ownDays(row)} />
          )}
        </Panel>
        <EventsAround row={row} />
        <div className="halves">
          {isCost && (
            <Panel title="Where it came from" meta={`${row.days} against expected`}>
              <Content
                of={{ ...query, data: query.data?.spend_anomaly_drivers?.rows }}
                what="The contributors could not be read"
                lines={4}
              >
                {(rows) => <Drivers rows={rows} row={row} />}
              </Content>
            </Panel>
          )}
          <Computed row={row} />
        </div>
      </div>
      <footer className="foot row wrapping">
        <VerdictBar row={row} />
        <span className="end">
          <TicketButton row={row} />
        </span>
        {isCost && (
          <Link
            className="btn"
            to="/costs/explorer"
            search={{ from: row.from, to: row.to, ...(filters.length > 0 ? { filters } : {}) }}
          >
            Open in Explorer
          </Link>
        )}
      </footer>
    </section>
  );
}

/** Note for an anomaly that ended at a new cost level. */
function NewLevel({ row, level }: { row: Row; level: Level | null }) {
  if (!level) return null;
  const times = level.before > 0 ? `, ${(level.amount / level.before).toFixed(1)} times` : ' against';
  return (
    <p className="small">
      <strong>It has not returned to its earlier level.</strong> The median of the {level.days} days after it is{' '}
      {money(level.amount, row.currency)}
      {times} the {money(level.before, row.currency)} expected on its first day. It has ended because the new level is
      now expected.
    </p>
  );
}

/** The Explorer filters for the anomaly: the tag, or the service in the account. */
export function filtersOf({ tag, accountId, stored }: Pick<Row, 'tag' | 'accountId' | 'stored'>): Filter[] {
  if (tag) return [{ field: `tag:virtual:${tag.key}`, values: [tag.value] }];
  if (accountId === null) return [];
  const account: Filter = { field: 'account', values: [accountId] };
  // Charges without a service have no value there.
  return stored.name === noService ? [account] : [account, { field: 'service', values: [stored.name] }];
}

/** The source of a metric. */
function sourceOf({ kind, stored }: Row): string {
  if (kind === 'events') return 'events that started';
  return stored.namespace ? `measurements, ${stored.namespace}` : 'measurements';
}

const noService = 'no service named';

function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="small muted">{name}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}
