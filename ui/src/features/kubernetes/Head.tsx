import { Link } from '@tanstack/react-router';
import { Package } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ResultOf } from '@/api';
import { Status, age, count, plural, range, share, useNow } from '@/shared';
import type { Tone } from '@/shared';
import { amounts, isNothing } from './costs';
import type { Costs } from './costs';
import { partOf } from './CostsExplained';
import type { ClusterCounts, Clusters } from './queries';
import { cores, memory, requested } from './row';

export type Cluster = ResultOf<typeof Clusters>['cloud_accounts'][number];

/** After so many hours without news an agent's facts are stale. */
const staleHours = 24;

/** The source of a cluster's data, and its age. */
export function standing(cluster: Pick<Cluster, 'agents' | 'synced_at'>, now: Date): { tone: Tone; text: string } {
  const agent = cluster.agents[0];
  const told = agent?.last_synced_at ?? agent?.last_connected_at;
  if (told) {
    const hours = (now.getTime() - Date.parse(`${told.replace(/Z$/, '')}Z`)) / 3_600_000;
    return hours > staleHours ? { tone: 'warn', text: `Stale, ${age(told, now)}` } : { tone: 'ok', text: 'Connected' };
  }
  return { tone: 'info', text: cluster.synced_at ? `From files, ${age(cluster.synced_at, now)}` : 'From files' };
}

/** A bundle has a mark of its own: nothing is running. */
export function Standing({ tone, text }: { tone: Tone; text: string }) {
  if (tone !== 'info') return <Status tone={tone}>{text}</Status>;
  return (
    <span className="st info">
      <Package className="i" />
      {text}
    </span>
  );
}

/** Summary of a cluster: state, contents and cost. */
export function Head({
  cluster,
  counts,
  costs,
}: {
  cluster: Cluster;
  counts: ResultOf<typeof ClusterCounts> | undefined;
  costs: Costs | null;
}) {
  const now = useNow();
  const { tone, text } = standing(cluster, now);
  const agent = cluster.agents[0];
  const broken = counts && (counts.notRunning.aggregate?.count ?? 0);
  const asked = counts?.sums.aggregate?.sum;
  const has = counts?.capacity.aggregate?.sum;
  const facts = [
    agent?.k8s_version && `Kubernetes ${agent.k8s_version}`,
    agent?.k8s_provider,
    plural(cluster.k8s_nodes_aggregate.aggregate?.count ?? 0, 'node'),
    cluster.region,
  ].filter(Boolean);
  return (
    <header className="k8s-head">
      <div>
        <div className="row">
          <h2 className="ttl">{cluster.account_name}</h2>
          <Standing tone={tone} text={text} />
        </div>
        <p className="muted">
          {facts.join(', ')},{' '}
          <Link to="/inventory/accounts" search={{ id: cluster.id }}>
            account
          </Link>
        </p>
      </div>
      <dl className="k8s-figs num">
        {costs && <CostFigures costs={costs} cluster={cluster.id} />}
        <Figure name="Pods">{count(cluster.k8s_pods_aggregate.aggregate?.count ?? 0)}</Figure>
        <Figure name="Not running">
          {broken === undefined ? (
            '–'
          ) : broken === 0 ? (
            '0'
          ) : (
            <Link
              to="/inventory/kubernetes"
              search={{ cluster: cluster.id, tab: 'pods', trouble: true }}
              className="st bad"
            >
              {count(broken)}
            </Link>
          )}
        </Figure>
        <Figure name="CPU requested">{requested(asked?.cpu_request, has?.cpu_allocatable, cores)}</Figure>
        <Figure name="Memory requested">{requested(asked?.memory_request, has?.memory_allocatable, memory)}</Figure>
      </dl>
    </header>
  );
}

/** Total and idle cost of the cluster; at the prices of the tool, with a link to the charges in the Explorer. */
function CostFigures({ costs: { bill, days, whole, kinds }, cluster }: { costs: Costs; cluster: string }) {
  const now = useNow();
  const idle = kinds.get('IDLE');
  const part = partOf(idle, whole);
  const name = range(days.from, days.to, now);
  return (
    <>
      <Figure name={bill ? `Nodes billed, ${name}` : `OpenCost’s prices, ${name}`}>
        {bill ? (
          amounts(whole)
        ) : (
          <Link to="/costs/explorer" search={{ ...days, filters: [{ field: 'account', values: [cluster] }] }}>
            {amounts(whole)}
          </Link>
        )}
      </Figure>
      {!isNothing(idle) && (
        <Figure name="Idle">
          {amounts(idle)} {part !== null && <span className="muted small">{share(part)}</span>}
        </Figure>
      )}
    </>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="small muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
