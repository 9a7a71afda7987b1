import { Link } from '@tanstack/react-router';
import { useGraphQL } from '@/api';
import { Panel, count, dateTimeZone, useNow } from '@/shared';
import { EventDuplicates, EventsNamed } from './duplicates';
import { StateMark } from './Marks';
import { startOf, stateOf } from './row';

/** The original of this event and its duplicates, as classified by people; renders nothing if there are none. */
export function Duplicates({ id }: { id: string }) {
  const now = useNow();
  const pairs = useGraphQL(EventDuplicates, { id }).data?.event_classification ?? [];
  const ids = [...new Set(pairs.flatMap((pair) => [pair.event_id, pair.linked_event_id ?? pair.event_id]))].sort();
  const events = useGraphQL(EventsNamed, { ids }, { enabled: ids.length > 0 }).data?.events ?? [];
  // A judgement stays on record when an event is opened again.
  const isDuplicate = (one: string) => events.some((event) => event.id === one && event.nb_status === 'DUPLICATE');
  const held = pairs.filter((pair) => isDuplicate(pair.event_id));
  const original = held.find((pair) => pair.event_id === id)?.linked_event_id;
  const others = held.filter((pair) => pair.linked_event_id === id).map((pair) => pair.event_id);
  const list = (title: string, shown: typeof events) =>
    shown.length > 0 && (
      <Panel title={title} meta={shown.length > 1 ? count(shown.length) : ''}>
        <ul aria-label={title}>
          {shown.map((event) => (
            <li className="li" key={event.id}>
              <div className="t grow">
                <Link to="/events" from="/events" search={(before) => ({ ...before, id: event.id })}>
                  {event.title}
                </Link>
                <div className="small muted">{dateTimeZone(startOf(event), now)}</div>
              </div>
              <StateMark state={stateOf(event.status)} />
            </li>
          ))}
        </ul>
      </Panel>
    );
  return (
    <>
      {list(
        'Duplicate of',
        events.filter((event) => event.id === original),
      )}
      {list(
        'Duplicates',
        events.filter((event) => others.includes(event.id)),
      )}
    </>
  );
}
