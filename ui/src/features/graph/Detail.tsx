import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, Siren } from 'lucide-react';
import { useGraphQL, useOriginInFront } from '@/api';
import { host } from '@/host';
import { AskAbout, Button, CopyLink, Fact, SidePanel, dateTimeZone, useNow } from '@/shared';
import { Mark } from './Mark';
import { ThingEvents } from './queries';
import type { Mode } from './search';
import type { Graph, Thing } from './thing';
import { backName, kindName, relationName, sourceName } from './words';

/** Properties that have a place of their own. */
const placed = new Set(['name', 'namespace', 'source', 'resource_id', 'event_id', 'kind']);
const titles: { [name: string]: string } = {
  images: 'Image',
  status: 'Status',
  provider_id: 'Provider id',
  message: 'Message',
  type: 'Type',
  service: 'Service',
  region: 'Region',
  address: 'Id',
  priority: 'Priority',
  event_source: 'Event source',
  starts_at: 'Started',
};
const inKubernetes: { [kind: string]: 'workloads' | 'pods' | 'nodes' } = {
  Workload: 'workloads',
  Job: 'workloads',
  CronJob: 'workloads',
  Pod: 'pods',
  Node: 'nodes',
};

/** One node: its relations with their sources, attributes and origin. */
export function Detail({
  thing,
  graph,
  accountName,
  isMiddle,
  onOpen,
  onShow,
  onClose,
}: {
  thing: Thing;
  graph: Graph;
  accountName: string | undefined;
  /** The picture is drawn around it. */
  isMiddle: boolean;
  onOpen: (id: string) => void;
  onShow: (id: string, mode: Mode | undefined) => void;
  onClose: () => void;
}) {
  const now = useNow();
  const origin = useOriginInFront();
  const names = new Map(graph.things.map((one) => [one.id, one]));
  const relations = graph.relations.filter(({ from, to }) => from === thing.id || to === thing.id);
  const resource = thing.properties['resource_id'];
  const about = [thing, ...relations.flatMap(({ from, kind }) => (kind === 'ABOUT' ? (names.get(from) ?? []) : []))];
  const ids = about.flatMap(({ properties }) =>
    typeof properties['event_id'] === 'string' ? [properties['event_id']] : [],
  );
  const events = useGraphQL(ThingEvents, { ids }, { enabled: ids.length > 0 }).data?.events;
  const facts = Object.entries(thing.properties).filter(([name, value]) => !placed.has(name) && value !== null);
  const tab = inKubernetes[thing.kind];
  return (
    <SidePanel
      label={thing.name}
      width="slim"
      tools={<CopyLink origin={origin} copy={(text) => host.copy(text)} />}
      head={
        <>
          <div className="row">
            <Mark kind={thing.kind} />
            <span>{kindName(thing.kind)}</span>
          </div>
          <h2 className="ttl anywhere">{thing.name}</h2>
          <div className="muted">{[accountName, thing.namespace].filter(Boolean).join(' / ')}</div>
        </>
      }
      onClose={onClose}
      actions={
        <>
          {!isMiddle && (
            <Button
              size="small"
              onClick={() => {
                onShow(thing.id, undefined);
              }}
            >
              Show neighbours
            </Button>
          )}
          <Button
            size="small"
            onClick={() => {
              onShow(thing.id, 'outage');
            }}
          >
            Show outage
          </Button>
          {typeof resource === 'string' && (
            <AskAbout type="resource" id={resource} what={thing.name} account={thing.account} />
          )}
        </>
      }
    >
      {events
        ?.filter(({ status }) => status === 'FIRING')
        .map((event) => (
          <div className="note bad" key={event.id}>
            <Siren className="i" />
            <div className="grow">
              <b>{event.title}</b>
              <p>firing{event.starts_at && ` since ${dateTimeZone(event.starts_at, now)}`}</p>
            </div>
            <Link to="/events" search={{ id: event.id }}>
              Open
            </Link>
          </div>
        ))}
      <section className="sec">
        <h3>
          Relations <span className="end small muted num">{relations.length}</span>
        </h3>
        {relations.length === 0 && <p className="muted">None in this graph.</p>}
        <ul className="kg-relations">
          {relations.map((relation) => {
            const isForth = relation.from === thing.id;
            const other = names.get(isForth ? relation.to : relation.from);
            const Icon = isForth ? ArrowUp : ArrowDown;
            return (
              <li key={relation.id}>
                <Icon className="i s" />
                <span className="small muted">{isForth ? relationName(relation.kind) : backName(relation.kind)}</span>
                <span>
                  <button
                    type="button"
                    className="link cut"
                    title={other?.name}
                    onClick={() => {
                      if (other) onOpen(other.id);
                    }}
                  >
                    {other?.name}
                  </button>
                  <span className="block small muted anywhere" title="Source">
                    {[relation.source, relation.detail].filter(Boolean).join(': ')}
                  </span>
                </span>
              </li>
            );
          })}
        </ul>
      </section>
      {facts.length > 0 && (
        <section className="sec">
          <h3>Attributes</h3>
          <dl className="kv">
            {facts.map(([name, value]) => (
              <Fact key={name} name={titles[name] ?? name} mono={['images', 'provider_id', 'address'].includes(name)}>
                {Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value)}
              </Fact>
            ))}
          </dl>
        </section>
      )}
      {thing.labels.length > 0 && (
        <section className="sec">
          <h3>Labels</h3>
          <div className="row wrapping">
            {thing.labels.map((label) => (
              <span className="tag" key={label}>
                {label}
              </span>
            ))}
          </div>
        </section>
      )}
      <section className="sec">
        <h3>Known from</h3>
        <p className="muted">
          {sourceName(thing.source)}
          {thing.updatedAt !== '' && `, as of ${dateTimeZone(thing.updatedAt, now)}`}.
        </p>
        <div className="row wrapping">
          {tab && typeof resource === 'string' && (
            <Link to="/inventory/kubernetes" search={{ cluster: thing.account, tab, id: resource }}>
              Open in Kubernetes
            </Link>
          )}
          {thing.source === 'cloud' && typeof resource === 'string' && (
            <Link to="/inventory/resources" search={{ id: resource }}>
              Open in Resources
            </Link>
          )}
          {thing.kind === 'Cluster' && (
            <Link to="/inventory/kubernetes" search={{ cluster: thing.account }}>
              Open in Kubernetes
            </Link>
          )}
          {typeof thing.properties['event_id'] === 'string' && (
            <Link to="/events" search={{ id: thing.properties['event_id'] }}>
              Open the event
            </Link>
          )}
        </div>
      </section>
    </SidePanel>
  );
}
