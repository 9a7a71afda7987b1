import type { ResultOf } from '@/api';
import { Fact, Panel } from '@/shared';
import type { OneEvent } from './queries';

type One = NonNullable<ResultOf<typeof OneEvent>['events_by_pk']>;

/** The description of an event by its source, with labels. */
export function Facts({ event }: { event: One }) {
  const labels = event.labels;
  const pairs = typeof labels === 'object' && labels !== null && !Array.isArray(labels) ? Object.entries(labels) : [];
  return (
    <Panel title="Facts" padded>
      <dl className="kv">
        <Fact name="Alert">{event.aggregation_key}</Fact>
        <Fact name="Cluster">{event.cluster}</Fact>
        <Fact name="Namespace">{event.subject_namespace}</Fact>
        <Fact name="Workload">
          {event.subject_owner && `${event.subject_owner_kind ?? ''} ${event.subject_owner}`.trim()}
        </Fact>
        <Fact name="Node">{event.subject_node}</Fact>
        <Fact name="Service">{event.service_key}</Fact>
        <Fact name="Caused by">{event.principal}</Fact>
        <Fact name="Environment">{event.cloud_account?.account_env}</Fact>
        <Fact name="Type" mono>
          {event.finding_type}
        </Fact>
        {pairs.map(([name, value]) => (
          <Fact key={name} name={name}>
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </Fact>
        ))}
      </dl>
    </Panel>
  );
}
