import { Link } from '@tanstack/react-router';
import { listingRows, useGraphQL } from '@/api';
import type { VariablesOf } from '@/api';
import { Panel, addDays, bounds, dateTime, useNow } from '@/shared';
import { AnomalyEvents } from './queries';
import type { Row } from './row';

/** Events that are shown. */
const few = 5;

/** Events of its account, or of all accounts, from the day before an anomaly to its last day. */
export function eventsNear({ accountId, from, to }: Pick<Row, 'accountId' | 'from' | 'to'>) {
  return {
    starts_at: bounds({ from: addDays(from, -1), to }),
    ...(accountId === null ? {} : { account_id: { _eq: accountId } }),
  } satisfies VariablesOf<typeof AnomalyEvents>['where'];
}

/** Events around an anomaly; renders nothing if there are none. */
export function EventsAround({ row }: { row: Row }) {
  const now = useNow();
  const found = listingRows(useGraphQL(AnomalyEvents, { where: eventsNear(row) }).data?.events_v2);
  const shown = found.slice(0, few);
  if (shown.length === 0) return null;
  return (
    <Panel title="Events around these days" meta="not necessarily the cause" padded>
      <ul className="stack tight">
        {shown.map((event) => (
          <li key={event.id} className="split">
            <Link className="cut" to="/events" search={event.id ? { id: event.id } : {}}>
              {event.title}
            </Link>
            <span className={event.status === 'FIRING' ? 'st bad small' : 'small muted'}>
              {event.starts_at && dateTime(event.starts_at, now)}
            </span>
          </li>
        ))}
      </ul>
      {found.length > few && <p className="small muted">The first {few}; see Events for all.</p>}
    </Panel>
  );
}
