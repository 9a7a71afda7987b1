import { Content, Panel, dateTimeZone, useNow } from '@/shared';
import { actorOf, actsOf, textOf } from './timeline';
import { usePeople } from './usePeople';
import { useTimeline } from './useTimeline';

/** Actions of people and the service on an event, newest first. */
export function Activity({ id }: { id: string }) {
  const { query, why } = useTimeline(id);
  const people = usePeople();
  const now = useNow();
  return (
    <Panel title="Activity">
      <Content of={query} what="The activity could not be read" lines={3}>
        {(entries) => {
          const acts = actsOf(entries);
          if (acts.length === 0) return <p className="inside muted">No activity on this event yet.</p>;
          return (
            <ul aria-label="Activity">
              {acts.map((entry, at) => {
                const actor = actorOf(entry);
                const reason = why(entry);
                return (
                  <li className="li" key={at}>
                    <div className="t grow wrap">
                      {textOf(entry)}
                      <div className="small muted">
                        {actor === null ? 'Quarterdeck' : (people.get(actor) ?? 'Someone')}
                        {entry.timestamp && `, ${dateTimeZone(entry.timestamp, now)}`}
                        {reason && `. ${reason}`}
                      </div>
                    </div>
                  </li>
                );
              })}
            </ul>
          );
        }}
      </Content>
    </Panel>
  );
}
