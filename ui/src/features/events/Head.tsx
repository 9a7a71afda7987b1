import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useGraphQL } from '@/api';
import type { ResultOf } from '@/api';
import { Severity, dateTimeZone, plural, useNow } from '@/shared';
import { costWords, useEventCosts } from './costs';
import { StateMark, TriageMark } from './Marks';
import { EventTriage } from './queries';
import type { OneEvent } from './queries';
import { lasting, ownerIdOf, startOf } from './row';
import type { Row } from './row';
import { usePeople } from './usePeople';

type One = NonNullable<ResultOf<typeof OneEvent>['events_by_pk']>;

/** Summary of an event: severity, subject, account, start, owner and cost. */
export function Head({ row, event }: { row: Row; event: One | undefined }) {
  const now = useNow();
  const people = usePeople();
  const series = useGraphQL(EventTriage, { id: row.id }).data?.event_get_triage?.duplicate_info;
  const { stored } = row;
  const start = startOf(stored);
  const took = lasting(start, stored.ends_at ?? now);
  const times = series?.total_occurrences ?? 1;
  const owner = ownerIdOf(stored);
  return (
    <>
      <div className="row">
        <Severity value={row.severity} />
        <StateMark state={row.state} look="badge" />
        <span className="small muted cut">
          {row.state === 'FIRING' && stored.ends_at === null ? `for ${took}` : `after ${took}`}
          {times > 1 && `, ${plural(times, 'time')}`}
        </span>
      </div>
      <h2 className="ttl" title={stored.title}>
        {stored.title}
      </h2>
      <div className="about-line muted">
        <span className="wrap">{row.subject}</span>
        <span>
          <span className="faint">in</span>{' '}
          {stored.cloud_account ? (
            <Link to="/inventory/accounts" search={{ id: stored.cloud_account.id }}>
              {row.account}
            </Link>
          ) : (
            row.account
          )}
        </span>
        <span className="dotted">{row.source}</span>
      </div>
      <dl className="event-facts">
        <Figure name="Started">{dateTimeZone(start, now)}</Figure>
        <Figure name="Triage">
          <TriageMark row={row} />
        </Figure>
        <Figure name="Owner">{owner === null ? 'Nobody' : (people.get(owner) ?? 'Someone')}</Figure>
        <Figure name="Costs so far">{event && <CostFigure event={event} />}</Figure>
      </dl>
    </>
  );
}

function CostFigure({ event }: { event: One }) {
  const { query, cost, enabled, isOfResource } = useEventCosts(event, useNow());
  if (enabled && query.isLoading) return '…';
  return costWords(cost, isOfResource);
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="small muted">{name}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}
