import { Link } from '@tanstack/react-router';
import { useGraphQL } from '@/api';
import type { VariablesOf } from '@/api';
import { Panel, addDays, bounds, count, dateTime, useNow } from '@/shared';
import { AnomalyEvents } from './queries';
import type { Row } from './row';

/** Events of its account, or of all accounts, from the day before an anomaly to its last day. */
export function eventsNear({ accountId, from, to }: Pick<Row, 'accountId' | 'from' | 'to'>) {
  return {
    starts_at: bounds({ from: addDays(from, -1), to }),
    ...(accountId === null ? {} : { cloud_account_id: { _eq: accountId } }),
  } satisfies VariablesOf<typeof AnomalyEvents>['where'];
}

/** What happened around an anomaly; nothing where nothing did. */
export function Nearby({ row }: { row: Row }) {
  const now = useNow();
  const found = useGraphQL(AnomalyEvents, { where: eventsNear(row) }).data;
  if (!found || found.events.length === 0) return null;
  const more = (found.events_aggregate.aggregate?.count ?? 0) - found.events.length;
  return (
    <Panel title="Events around these days" meta="which need not be the reason" padded>
      <ul className="stack tight">
        {found.events.map((event) => (
          <li key={event.id} className="split">
            <Link className="cut" to="/events" search={{ id: event.id }}>
              {event.title}
            </Link>
            <span className={event.status === 'FIRING' ? 'st bad small' : 'small muted'}>
              {event.starts_at && dateTime(event.starts_at, now)}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="small muted">and {count(more)} more</p>}
    </Panel>
  );
}
