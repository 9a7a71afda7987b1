import { useState } from 'react';
import { useGraphQL } from '@/api';
import type { VariablesOf } from '@/api';
import { Content, Select, SidePanel, count, dateTime, dateTimeZone, plural, useNow } from '@/shared';
import { changesWhere } from './change';
import { ChangeItem } from './ChangeList';
import { Changes, Comparisons } from './queries';
import { changes as words } from './words';

/** Objects that are shown at once. */
const most = 300;

/** The differences between dumps of a cluster: added, changed and removed objects. */
export function ChangesPanel({
  cluster,
  name,
  namespaces,
  dump,
  onDump,
  onClose,
}: {
  cluster: string;
  name: string;
  namespaces: readonly string[];
  dump: string;
  onDump: (dump: string) => void;
  onClose: () => void;
}) {
  const now = useNow();
  const query = useGraphQL(Comparisons, { cluster });
  const [namespace, setNamespace] = useState('');
  return (
    <SidePanel label="Changes" onClose={onClose} head={<h2 className="ttl">Changes in {name}</h2>}>
      <Content of={query} what="The comparisons could not be read" lines={8}>
        {({ k8s_changes: compared }) => {
          const times = compared.map(({ observed_at }) => observed_at);
          const newest = times[0];
          if (newest === undefined) return <p className="muted">{words.none}</p>;
          const chosen = dump === 'all' || times.includes(dump) ? dump : newest;
          return (
            <>
              <section className="sec">
                <div className="row">
                  <Select
                    label="Dump"
                    value={chosen}
                    options={[
                      ...times.map((value) => ({ value, label: dateTime(value, now) })),
                      { value: 'all', label: `All ${count(times.length)}` },
                    ]}
                    onChange={onDump}
                  />
                  <Select
                    label="Namespace"
                    value={namespace}
                    options={[{ value: '', label: 'All' }, ...namespaces.map((value) => ({ value, label: value }))]}
                    onChange={setNamespace}
                  />
                </div>
                <p className="small muted">{words.help}</p>
              </section>
              <ChangeList cluster={cluster} dump={chosen} namespace={namespace} />
            </>
          );
        }}
      </Content>
    </SidePanel>
  );
}

function ChangeList({ cluster, dump, namespace }: { cluster: string; dump: string; namespace: string }) {
  const now = useNow();
  const where = changesWhere(cluster, dump, namespace) as VariablesOf<typeof Changes>['where'];
  const query = useGraphQL(Changes, { where, limit: most });
  return (
    <section className="sec" aria-label="Objects that differ">
      <Content of={query} what="The changes could not be read" lines={6}>
        {({ k8s_changes: rows, k8s_changes_aggregate: { aggregate } }) => (
          <>
            <p className="small muted" role="status">
              {rows.length === 0 ? words.noMatch : plural(aggregate?.count ?? rows.length, 'object')}
              {rows[0] && dump !== 'all' && `, compared with ${dateTimeZone(rows[0].previous_at, now)}`}
              {rows.length === most && ` Only the first ${String(most)} are shown: choose a namespace.`}
            </p>
            {rows.map((row) => (
              <ChangeItem
                key={row.id}
                of={row}
                title={[
                  dump === 'all' && `${dateTime(row.observed_at, now)} `,
                  [row.namespace, row.kind, row.name].filter(Boolean).join('/'),
                ]
                  .filter(Boolean)
                  .join('')}
              />
            ))}
          </>
        )}
      </Content>
    </section>
  );
}
