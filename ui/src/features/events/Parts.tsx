import type { Ref } from 'react';
import type { ResultOf } from '@/api';
import { dateTimeZone, useNow } from '@/shared';
import { Activity } from './Activity';
import { Cause } from './Cause';
import { ClusterChanges } from './ClusterChanges';
import { Costs } from './Costs';
import { Duplicates } from './Duplicates';
import { Evidence } from './Evidence';
import { Facts } from './Facts';
import { Logs } from './Logs';
import type { OneEvent } from './queries';
import { Related } from './Related';
import { rowOf, startOf } from './row';
import { Score } from './Score';
import { Tickets } from './Tickets';
import type { About } from './Tickets';
import { Timeline } from './Timeline';

type One = NonNullable<ResultOf<typeof OneEvent>['events_by_pk']>;

export const tabs = [
  { value: 'cause', label: 'Cause and evidence' },
  { value: 'logs', label: 'Logs' },
  { value: 'timeline', label: 'Timeline' },
  { value: 'activity', label: 'Activity' },
] as const;
export type Tab = (typeof tabs)[number]['value'];

/** One part of an event. */
export function Part({
  tab,
  event,
  reason,
  tickets,
}: {
  tab: Tab;
  event: One;
  reason: string | undefined;
  /** The tickets section, as a scroll target. */
  tickets: Ref<HTMLDivElement>;
}) {
  const now = useNow();
  const account = event.cloud_account?.id;
  switch (tab) {
    case 'cause':
      return (
        <>
          {event.description && <p className="read wrap">{event.description}</p>}
          <Duplicates id={event.id} />
          {account && <Cause account={account} event={event.id} />}
          <Evidence evidences={event.evidences} failure={event.failure} />
          <Related id={event.id} />
          {account && <ClusterChanges account={account} namespace={event.subject_namespace} start={startOf(event)} />}
          <Costs event={event} />
          <Score score={event.computed_score} priority={event.computed_priority} factors={event.score_factors} />
          <Facts event={event} />
        </>
      );
    case 'logs':
      return account ? (
        <Logs account={account} start={startOf(event)} names={namesOf(event)} />
      ) : (
        <p className="muted">Log lines need an account, and this event has none.</p>
      );
    case 'timeline':
      return <Timeline id={event.id} />;
    case 'activity':
      return (
        <>
          <Activity id={event.id} />
          <section className="stack" aria-label="Tickets" tabIndex={-1} ref={tickets}>
            <Tickets about={aboutOf(event, now)} reason={reason} />
          </section>
        </>
      );
  }
}

/** The names of the subject, the most exact first. */
function namesOf(event: One): string[] {
  return [event.subject_name, event.subject_owner, event.subject_node].filter(
    (name) => name !== null && name !== '',
  ) as string[];
}

function aboutOf(event: One, now: Date): About {
  const row = rowOf(event);
  return {
    event: event.id,
    title: event.title,
    severity: row.severity,
    account: event.cloud_account?.id,
    facts: [
      event.description ?? '',
      `Subject: ${row.subject}`,
      `Account: ${row.account}`,
      `Source: ${row.source}`,
      `Started: ${dateTimeZone(startOf(event), now)}`,
    ].filter(Boolean),
  };
}
