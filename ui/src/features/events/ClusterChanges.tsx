import { Link } from '@tanstack/react-router';
import { useGraphQL } from '@/api';
import type { VariablesOf } from '@/api';
import { Content, Panel, count, dateTime, dateTimeZone, parseTime, plural, useNow } from '@/shared';
import { ClusterChanges as Changes } from './queries';

/** A change is worth a look when a dump from so long before the event, or a later one, shows it; ms. */
const before = 24 * 3_600_000;
const most = 20;

/** The changes that may have preceded an event: objects that existed before it started and changed in a dump since the previous day. */
export function changesBefore(account: string, namespace: string | null, start: string): object {
  const since = new Date(parseTime(start).getTime() - before).toISOString().slice(0, 19);
  return {
    cloud_account_id: { _eq: account },
    previous_at: { _lte: start },
    observed_at: { _gte: since },
    ...(namespace === null ? {} : { _or: [{ namespace: { _eq: namespace } }, { namespace: { _is_null: true } }] }),
  };
}

/** Differences between cluster dumps around the start of an event. Renders nothing if there are none. */
export function ClusterChanges({
  account,
  namespace,
  start,
}: {
  account: string;
  namespace: string | null;
  start: string;
}) {
  const now = useNow();
  const where = changesBefore(account, namespace, start) as VariablesOf<typeof Changes>['where'];
  const query = useGraphQL(Changes, { where, limit: most });
  return (
    <Content of={query} what="Changes of the cluster could not be read" lines={3}>
      {({ k8s_changes: rows, k8s_changes_aggregate: { aggregate } }) =>
        rows.length > 0 && (
          <Panel title="Changes of the cluster" meta={count(aggregate?.count ?? rows.length)}>
            <ul aria-label="Changes of the cluster">
              {rows.map((row) => (
                <li className="li" key={row.id}>
                  <div className="t grow">
                    <Link to="/inventory/kubernetes" search={{ cluster: account, changes: row.observed_at }}>
                      {[row.namespace, row.kind, row.name].filter(Boolean).join('/')}
                    </Link>
                    <div className="small muted">
                      {row.change}
                      {row.field_count > 0 && `, ${plural(row.field_count, 'field')}`}, between{' '}
                      {dateTime(row.previous_at, now)} and {dateTimeZone(row.observed_at, now)}
                    </div>
                  </div>
                </li>
              ))}
            </ul>
          </Panel>
        )
      }
    </Content>
  );
}
