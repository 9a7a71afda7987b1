import { Link } from '@tanstack/react-router';
import { ScrollText, Unplug } from 'lucide-react';
import { categoryName, ruleTitle, useGraphQL, useOriginInFront } from '@/api';
import { host } from '@/host';
import { Content, CopyLink, Fact, SidePanel, Status, dateTime, dateTimeZone, estimate, range, useNow } from '@/shared';
import { amounts, costOf, isNothing } from './costs';
import type { Costs } from './costs';
import { ManifestSection } from './ManifestSection';
import { ObjectChanges } from './ObjectChanges';
import { ObjectNews } from './queries';
import { containersOf, cores, memory, nodeState, ownerOf, pairs, podTone, restartsOf } from './row';
import type { Row } from './row';
import { Trouble } from './Trouble';
import { noLive, prices } from './words';

const kindOf = { namespaces: 'Namespace', workloads: 'Workload', pods: 'Pod', nodes: 'Node' } as const;
const nobody = '00000000-0000-0000-0000-000000000000';

/** Events of an object: those of a namespace, of a workload and its pods, of a pod, or of a node. */
export function eventsOf(row: Row, cluster: string): object {
  const inCluster = { cloud_account_id: { _eq: cluster } };
  switch (row.tab) {
    case 'namespaces':
      return { ...inCluster, subject_namespace: { _eq: row.name } };
    case 'nodes':
      return { ...inCluster, _or: [{ subject_node: { _eq: row.name } }, { subject_name: { _eq: row.name } }] };
    case 'workloads':
      return {
        ...inCluster,
        subject_namespace: { _eq: row.of.namespace },
        _or: [{ subject_owner: { _eq: row.name } }, { subject_name: { _eq: row.name } }],
      };
    case 'pods':
      return { ...inCluster, subject_namespace: { _eq: row.of.namespace }, subject_name: { _eq: row.name } };
  }
}

/** The stored log of a pod: one day up to the time it was last seen. */
export function logsOf({ name, last_seen: seen }: { name: string; last_seen: string | null }) {
  const q = `{pod="${name}"}`;
  if (seen === null) return { q };
  const at = Date.parse(`${seen.replace(/Z$/, '')}Z`);
  const minute = (ms: number) => new Date(ms).toISOString().slice(0, 16);
  return { q, from: minute(at - 24 * 3_600_000), to: minute(at + 3_600_000) };
}

/** One object of a cluster: its facts, containers, labels, and the events and recommendations about it. */
export function Detail({
  row,
  cluster,
  costs,
  onClose,
  onPrevious,
  onNext,
}: {
  row: Row;
  cluster: string;
  costs: Costs | null;
  onClose: () => void;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}) {
  const origin = useOriginInFront();
  return (
    <SidePanel
      label={row.name}
      width="slim"
      tools={<CopyLink origin={origin} copy={(text) => host.copy(text)} />}
      head={
        <>
          <div className="row">
            <span className="small muted">{kindOf[row.tab]}</span>
            <State row={row} />
          </div>
          <h2 className="ttl mono wrap">{row.name}</h2>
        </>
      }
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      actions={
        row.tab !== 'nodes' && (
          <>
            {row.tab === 'pods' && (
              <Link to="/events/logs" search={{ account: cluster, ...logsOf(row.of) }} className="btn sm">
                <ScrollText className="i s" />
                Logs
              </Link>
            )}
            <Link
              to="/events"
              search={{
                filters: [
                  { field: 'account', values: [cluster] },
                  { field: 'namespace', values: [row.tab === 'namespaces' ? row.name : row.of.namespace] },
                ],
              }}
              className="btn sm"
            >
              Events of the namespace
            </Link>
          </>
        )
      }
    >
      {row.tab === 'pods' && <Trouble pod={row.of} cluster={cluster} />}
      <section className="sec">
        <h3>Facts</h3>
        <dl className="kv">
          <Facts row={row} />
        </dl>
      </section>
      {costs && <Cost row={row} costs={costs} />}
      <Containers row={row} />
      <News row={row} cluster={cluster} />
      {row.tab !== 'namespaces' && <ObjectChanges resource={row.of.cloud_resource_id} />}
      {row.tab !== 'namespaces' && <Labels of={pairs(row.of.labels)} />}
      {row.tab !== 'namespaces' && <ManifestSection resource={row.of.cloud_resource_id} />}
      <div className="note">
        <Unplug className="i" />
        <div>
          <b>{noLive.title}</b>
          <p className="small">{noLive.text}</p>
        </div>
      </div>
    </SidePanel>
  );
}

/** The cost, and how it was calculated. */
function Cost({ row, costs }: { row: Row; costs: Costs }) {
  const now = useNow();
  const sums = costOf(costs, row);
  const part = costs.parts.get(row.id);
  if (sums === undefined) return null;
  return (
    <section className="sec">
      <h3>Cost</h3>
      <dl className="kv">
        <Fact name="Cost">{`${amounts(sums)}, ${costs.bill ? prices.billShort : prices.toolShort}`}</Fact>
        <Fact name="Days">{range(costs.days.from, costs.days.to, now)}</Fact>
        {costs.bill && part && (
          <Fact name="Worked out">{prices.workedOut(amounts(part.tool), String(costs.bill.factor))}</Fact>
        )}
        {costs.bill && part && !isNothing(part.beside) && (
          <Fact name="Beside it">{prices.besideShort(amounts(part.beside))}</Fact>
        )}
      </dl>
    </section>
  );
}

function State({ row }: { row: Row }) {
  if (row.tab === 'pods') return <Status tone={podTone(row.of.status)}>{row.of.status}</Status>;
  if (row.tab === 'nodes') {
    const { tone, text } = nodeState(row.of.conditions);
    return <Status tone={tone}>{text}</Status>;
  }
  if (row.tab === 'workloads') {
    const { ready_pods: ready, total_pods: all } = row.of;
    return (
      <Status tone={ready < all ? 'bad' : 'ok'}>
        {ready} of {all} ready
      </Status>
    );
  }
  return null;
}

function Facts({ row }: { row: Row }) {
  const now = useNow();
  const time = (at: string | null) => at && `${dateTimeZone(at, now)}`;
  switch (row.tab) {
    case 'namespaces':
      return (
        <>
          <Fact name="Workloads">{row.of.workload_count}</Fact>
          <Fact name="Pods">{row.of.pod_count}</Fact>
          <Fact name="Created">{time(row.of.creation_time)}</Fact>
        </>
      );
    case 'workloads':
      return (
        <>
          <Fact name="Kind">{row.of.kind}</Fact>
          <Fact name="Namespace">{row.of.namespace}</Fact>
          <Fact name="State">{row.of.status}</Fact>
          <Fact name="Replicas">{row.of.replicas}</Fact>
          <Fact name="Owner">{ownerOf(row.of.labels)}</Fact>
          <Fact name="CPU">{`requests ${cores(row.of.cpu_request)}, limit ${cores(row.of.cpu_limit)}`}</Fact>
          <Fact name="Memory">{`requests ${memory(row.of.memory_request)}, limit ${memory(row.of.memory_limit)}`}</Fact>
          <Fact name="Created">{time(row.of.creation_time)}</Fact>
          <Fact name="Last seen">{time(row.of.last_seen)}</Fact>
        </>
      );
    case 'pods':
      return (
        <>
          <Fact name="Namespace">{row.of.namespace}</Fact>
          <Fact name="Started by">
            {[row.of.workload_type, row.of.workload_name].filter(Boolean).join(' ') || null}
          </Fact>
          <Fact name="Node" mono>
            {row.of.node_name}
          </Fact>
          <Fact name="Owner">{ownerOf(row.of.labels)}</Fact>
          <Fact name="Restarts">{restartsOf(row.of.restart_count)}</Fact>
          <Fact name="Created">{time(row.of.creation_time)}</Fact>
          <Fact name="Last seen">{time(row.of.last_seen)}</Fact>
        </>
      );
    case 'nodes':
      return (
        <>
          <Fact name="Machine">{row.of.node_flavor}</Fact>
          <Fact name="Purchase type">{row.of.node_type}</Fact>
          <Fact name="Zone">{row.of.node_zone ?? row.of.node_region}</Fact>
          <Fact name="Address" mono>
            {row.of.internal_ip}
          </Fact>
          <Fact name="Conditions">{row.of.conditions}</Fact>
          <Fact name="Taints">{row.of.taints}</Fact>
          <Fact name="CPU">{`${cores(row.of.cpu_allocatable)} of ${cores(row.of.cpu_capacity)} for work, pods at most ${cores(row.of.cpu_limits)}`}</Fact>
          <Fact name="Memory">{`${memory(row.of.memory_allocatable)} of ${memory(row.of.memory_capacity)} for work, pods at most ${memory(row.of.memory_limits)}`}</Fact>
          <Fact name="Created">{time(row.of.node_creation_time)}</Fact>
        </>
      );
  }
}

function Containers({ row }: { row: Row }) {
  if (row.tab !== 'pods' && row.tab !== 'workloads') return null;
  const containers = containersOf(row.of.meta, row.tab === 'pods' ? row.of.restart_count : null);
  if (containers.length === 0) return null;
  return (
    <section className="sec">
      <h3>Containers</h3>
      {containers.map((one) => (
        <dl className="kv" key={one.name}>
          <Fact name="Name">{one.name}</Fact>
          <Fact name="Image" mono>
            {one.image}
          </Fact>
          <Fact name="Requests">{one.requests}</Fact>
          <Fact name="Limits">{one.limits}</Fact>
          <Fact name="State">{one.state}</Fact>
          <Fact name="Restarts">{one.restarts}</Fact>
        </dl>
      ))}
    </section>
  );
}

function Labels({ of }: { of: [string, string][] }) {
  if (of.length === 0) return null;
  return (
    <section className="sec">
      <h3>Labels</h3>
      <dl className="kv">
        {of.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function News({ row, cluster }: { row: Row; cluster: string }) {
  const now = useNow();
  const resource = row.tab === 'namespaces' ? nobody : row.of.cloud_resource_id;
  const query = useGraphQL(ObjectNews, { events: eventsOf(row, cluster), resource });
  return (
    <Content of={query} what="Events and recommendations could not be read" lines={3}>
      {({ events, recommendation }) => (
        <>
          <section className="sec">
            <h3>Events</h3>
            {events.length === 0 && <p className="muted">None.</p>}
            {events.map((one) => (
              <div className="split" key={one.id}>
                <Link to="/events" search={{ id: one.id }}>
                  {one.title}
                </Link>
                <span className={one.status === 'FIRING' ? 'st bad small' : 'small muted'}>
                  {one.status === 'FIRING' ? 'Firing' : one.starts_at && dateTime(one.starts_at, now)}
                </span>
              </div>
            ))}
          </section>
          <section className="sec">
            <h3>Recommendations</h3>
            {recommendation.length === 0 && <p className="muted">None.</p>}
            {recommendation.map((one) => (
              <div className="split" key={one.id}>
                <Link to="/recommendations" search={{ id: one.id }}>
                  {ruleTitle(one.rule_name) ?? categoryName(one.category)}
                </Link>
                {Number(one.estimated_savings ?? 0) !== 0 && (
                  <span className="small muted num">{estimate(one.estimated_savings, null)}</span>
                )}
              </div>
            ))}
          </section>
        </>
      )}
    </Content>
  );
}
