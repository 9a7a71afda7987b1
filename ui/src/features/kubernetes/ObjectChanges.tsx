import { useGraphQL } from '@/api';
import { Content, dateTime, useNow } from '@/shared';
import { ChangeItem } from './ChangeList';
import { Changes } from './queries';

/** Changes of one object that are shown. */
const most = 10;

/** The changes of one object between dumps; renders nothing if there are none. */
export function ObjectChanges({ resource }: { resource: string }) {
  const now = useNow();
  const query = useGraphQL(Changes, { where: { cloud_resource_id: { _eq: resource } }, limit: most });
  return (
    <Content of={query} what="Its changes could not be read" lines={2}>
      {({ k8s_changes: rows }) =>
        rows.length > 0 && (
          <section className="sec">
            <h3>Changes</h3>
            {rows.map((row) => (
              <ChangeItem
                key={row.id}
                of={row}
                title={`${dateTime(row.observed_at, now)}, before: ${dateTime(row.previous_at, now)}`}
              />
            ))}
          </section>
        )
      }
    </Content>
  );
}
