import { Link } from '@tanstack/react-router';
import { useGraphQL } from '@/api';
import { Content, Panel, count, dateTimeZone, share, useNow } from '@/shared';
import { StateMark } from './Marks';
import { EventTriage } from './queries';
import { stateOf } from './row';
import { relations } from './words';

/** The series an event belongs to, how such events ended, and the events that belong with it. */
export function Related({ id }: { id: string }) {
  const query = useGraphQL(EventTriage, { id });
  const now = useNow();
  return (
    <Content of={query} what="Related events could not be read" lines={4}>
      {({ event_get_triage: found }) => {
        const series = found?.duplicate_info;
        const stats = found?.historical_stats;
        const together = found?.correlated_events ?? [];
        return (
          <>
            <Panel
              title="Earlier occurrences"
              meta={series ? `${count(series.occurrence_number)} of ${count(series.total_occurrences)}` : ''}
            >
              {!series && <p className="inside muted">It happened once.</p>}
              {stats && (
                <dl className="kv inside">
                  <dt>First seen</dt>
                  <dd>{stats.first_seen_at ? `${dateTimeZone(stats.first_seen_at, now)}` : '–'}</dd>
                  <dt>Resolved automatically</dt>
                  <dd>{share(Number(stats.resolution_rate))}</dd>
                  <dt>Average duration</dt>
                  <dd>{Number(stats.avg_duration_hours) > 0 ? hours(Number(stats.avg_duration_hours)) : '–'}</dd>
                  <dt>Noise</dt>
                  <dd>{share(Number(stats.noise_level))} suppressed, dropped or duplicates</dd>
                </dl>
              )}
              <ul aria-label="Events of this series">
                {series?.duplicate_chain
                  ?.filter((one) => one !== null)
                  .slice(-10)
                  .map((one) => (
                    <li className="li" key={one.event_id}>
                      <span className="num muted">{one.occurrence_number}</span>
                      <span className="t grow">
                        {one.event_id === id ? (
                          <b>This event</b>
                        ) : (
                          <Link to="/events" from="/events" search={(before) => ({ ...before, id: one.event_id })}>
                            {dateTimeZone(one.event_starts_at, now)}
                          </Link>
                        )}
                      </span>
                      <StateMark state={stateOf(one.event_state)} />
                    </li>
                  ))}
              </ul>
            </Panel>
            <Panel title="Correlated events" meta={together.length > 0 ? count(together.length) : ''}>
              {together.length === 0 && (
                <p className="inside muted">No other event is close in time, place and service.</p>
              )}
              <ul aria-label="Correlated events">
                {together
                  .filter((one) => one !== null)
                  .map((one) => (
                    <li className="li" key={one.correlated_event_id}>
                      <div className="t grow">
                        <Link
                          to="/events"
                          from="/events"
                          search={(before) => ({ ...before, id: one.correlated_event_id })}
                        >
                          {one.correlated_title}
                        </Link>
                        <div className="small muted">
                          {relations[one.correlation_type] ?? one.correlation_type}, {one.correlation_reason}. Score{' '}
                          {String(one.correlation_score)}
                        </div>
                      </div>
                      <StateMark state={stateOf(one.correlated_state)} />
                    </li>
                  ))}
              </ul>
            </Panel>
          </>
        );
      }}
    </Content>
  );
}

/** "42 min", "3.5 h". */
function hours(value: number): string {
  return value < 1 ? `${String(Math.round(value * 60))} min` : `${value.toFixed(1)} h`;
}
