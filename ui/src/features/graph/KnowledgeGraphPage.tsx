import { getRouteApi } from '@tanstack/react-router';
import { Waypoints } from 'lucide-react';
import { Suspense, lazy, useMemo } from 'react';
import { useGraphQL } from '@/api';
import { host } from '@/host';
import {
  Button,
  Content,
  Empty,
  ExportButton,
  Filters,
  NothingImported,
  Page,
  Segmented,
  Select,
  count,
  dateTimeZone,
  plural,
  useNarrow,
  useNow,
} from '@/shared';
import { Detail } from './Detail';
import { filterFields } from './fields';
import { FindThing } from './FindThing';
import { Kinds } from './Kinds';
import { GraphFacts } from './queries';
import type { GraphSearch, Mode } from './search';
import { ThingList, columnsOf } from './ThingList';
import { partsOf } from './parts';
import { counted, distances, filtered, narrowed } from './thing';
import type { Graph, Thing } from './thing';
import { mostDrawn, useGraph } from './useGraph';
import type { GraphResult } from './useGraph';
import { empty, kindName, modeNames } from './words';
import './graph.css';

/** With the layout of graphs, which the list does without. */
const Picture = lazy(() => import('./Picture').then((found) => ({ default: found.Picture })));
const route = getRouteApi('/assistant/knowledge-graph');
type Change = { [Key in keyof GraphSearch]?: GraphSearch[Key] | undefined };

/** The knowledge graph: the neighbours of a node, a path, or the reach of an outage. */
export function KnowledgeGraphPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const now = useNow();
  const narrow = useNarrow();
  const facts = useGraphQL(GraphFacts, {});
  const accounts = useMemo(
    () => new Map(facts.data?.cloud_accounts.map(({ id, account_name: name }) => [id, name])),
    [facts.data],
  );
  const size = facts.data?.knowledge_graph_node_aggregate.aggregate?.count;
  const found = useGraph(search, size, accounts);
  const hidden = useMemo(() => new Set(search.hide), [search.hide]);
  const kept = useMemo(() => new Set([search.node, search.to].flatMap((id) => id ?? [])), [search.node, search.to]);
  const { filters } = search;
  const graph = useMemo(
    () => found.graph && filtered(narrowed(found.graph, hidden, kept), filters ?? [], kept),
    [found.graph, hidden, kept, filters],
  );
  const go = (change: Change, replace = true) => {
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...change }).filter(
            ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
          ),
        ) as GraphSearch,
      replace,
    });
  };
  const show = (id: string, mode: Mode | undefined) => {
    go({ node: id, id, mode, to: undefined }, false);
  };
  const middle = found.graph?.things.find(({ id }) => id === search.node);
  const open = found.graph?.things.find(({ id }) => id === search.id);
  const openThing = (id: string) => {
    go({ id });
  };
  const isEmpty = size === 0;
  const synced = facts.data?.knowledge_graph_metadata[0]?.last_sync_at;
  return (
    <Page
      title="Knowledge graph"
      crumb="Assistant & knowledge"
      flush
      actions={
        !isEmpty && (
          <>
            {synced && <span className="small muted hide-n">as of {dateTimeZone(synced, now)}</span>}
            <ExportButton
              name="nodes"
              columns={columnsOf(graph ?? { things: [], relations: [] }, accounts, 'wide')}
              rows={graph?.things ?? []}
              save={(file, text, type) => host.saveFile(file, text, type)}
            />
          </>
        )
      }
      filters={
        !isEmpty && (
          <>
            {search.node === undefined ? (
              <span className="muted">Everything</span>
            ) : (
              <>
                <b className="cut kg-name">{middle?.name ?? 'Node'}</b>
                <Segmented
                  label="What is drawn"
                  value={search.mode ?? 'around'}
                  options={(['around', 'outage', 'needs', 'path'] as const).map((value) => ({
                    value,
                    label: modeNames[value],
                  }))}
                  onChange={(mode) => {
                    go({ mode: mode === 'around' ? undefined : mode });
                  }}
                />
              </>
            )}
            {search.node !== undefined && search.mode === undefined && (
              <Select
                label="Distance"
                value={String(search.steps ?? 2)}
                options={[1, 2, 3].map((steps) => ({ value: String(steps), label: plural(steps, 'step') }))}
                onChange={(steps) => {
                  go({ steps: steps === '2' ? undefined : Number(steps) });
                }}
              />
            )}
            {search.mode === 'path' && (
              <FindThing
                label="Path to"
                accounts={accounts}
                onChoose={(to) => {
                  go({ to });
                }}
              />
            )}
            {search.node !== undefined && (
              <Button
                kind="quiet"
                onClick={() => {
                  go({ node: undefined, mode: undefined, to: undefined, steps: undefined }, false);
                }}
              >
                Everything
              </Button>
            )}
            {found.graph && search.mode !== 'path' && (
              <Filters
                fields={filterFields(found.graph, accounts)}
                value={filters ?? []}
                onChange={(next) => {
                  go({ filters: next });
                }}
              />
            )}
            <span className="end-bar">
              <FindThing
                label="Find a node"
                keys="/"
                accounts={accounts}
                onChoose={(id) => {
                  show(id, undefined);
                }}
              />
            </span>
          </>
        )
      }
      side={
        open &&
        found.graph && (
          <Detail
            key={open.id}
            thing={open}
            graph={found.graph}
            accountName={accounts.get(open.account)}
            isMiddle={open.id === search.node && search.mode === undefined}
            onOpen={openThing}
            onShow={show}
            onClose={() => {
              go({ id: undefined });
            }}
          />
        )
      }
    >
      {isEmpty ? (
        <NothingImported icon={Waypoints} words={empty} />
      ) : (
        <div className="kg">
          {!narrow && found.graph && (
            <Kinds
              graph={found.graph}
              hidden={hidden}
              labels={filters?.find(({ field, not }) => field === 'label' && not !== true)?.values ?? []}
              onHide={(hide) => {
                go({ hide });
              }}
              onLabels={(values) => {
                const others = (filters ?? []).filter(({ field }) => field !== 'label');
                go({ filters: values.length > 0 ? [...others, { field: 'label', values }] : others });
              }}
            />
          )}
          <section className="kg-main" aria-label="Knowledge graph">
            <div className="kg-head">
              <Segmented
                label="How it is shown"
                value={search.view ?? 'graph'}
                options={[
                  { value: 'graph', label: 'Graph' },
                  { value: 'list', label: 'List' },
                ]}
                onChange={(view) => {
                  go({ view: view === 'list' ? 'list' : undefined });
                }}
              />
              <p className="small" role="status">
                {graph && <Said search={search} graph={graph} middle={middle} size={size} cut={found.cut} />}
              </p>
            </div>
            <Content
              of={{ data: graph, error: facts.error ?? found.error, refetch: found.refetch }}
              what="The graph could not be read"
            >
              {(shown) => (
                <Body
                  search={search}
                  graph={shown}
                  size={search.node === undefined ? size : undefined}
                  cut={found.cut}
                  accounts={accounts}
                  narrow={narrow}
                  onOpen={openThing}
                  onList={() => {
                    go({ view: 'list' });
                  }}
                />
              )}
            </Content>
          </section>
        </div>
      )}
    </Page>
  );
}

function Body({
  search,
  graph,
  size,
  cut,
  accounts,
  narrow,
  onOpen,
  onList,
}: {
  search: GraphSearch;
  graph: Graph;
  /** How many nodes there are in all, where all are meant. */
  size: number | undefined;
  cut: GraphResult['cut'];
  accounts: ReadonlyMap<string, string>;
  narrow: boolean;
  onOpen: (id: string) => void;
  onList: () => void;
}) {
  if (search.mode === 'path' && search.to === undefined)
    return (
      <Empty icon={Waypoints} title="Where should the path lead?">
        Choose the other node in “Path to” above.
      </Empty>
    );
  if (graph.things.length === 0 && search.mode === 'path')
    return cut === undefined ? (
      <Empty icon={Waypoints} title="No path between the two">
        No imported data connects them, directly or through other nodes. A shared team, account or event does not count.
      </Empty>
    ) : (
      <Empty icon={Waypoints} title="No short path between the two">
        {'steps' in cut
          ? `None with up to ${String(cut.steps)} steps. Longer paths were not searched.`
          : `None among the ${count(cut.shown)} nodes closest to them. Others were not searched.`}
      </Empty>
    );
  if (graph.things.length === 0 && search.node === undefined)
    return (
      <Empty icon={Waypoints} title="No nodes match">
        Remove a filter above, or show more kinds on the left.
      </Empty>
    );
  if (graph.things.length === 0)
    return (
      <Empty icon={Waypoints} title="This node is not in the graph">
        It may have been removed when an import was undone. Find another node above.
      </Empty>
    );
  if (search.view === 'list')
    return <ThingList graph={graph} accounts={accounts} narrow={narrow} open={search.id} onOpen={onOpen} />;
  if (graph.things.length > mostDrawn)
    return (
      <Empty
        icon={Waypoints}
        title={`${count(size ?? graph.things.length)} nodes are too many to draw`}
        action={<Button onClick={onList}>Show the list</Button>}
      >
        {search.node === undefined
          ? 'Find a node above to see its neighbours, filter by account or label, or hide kinds on the left.'
          : 'Choose fewer steps or hide kinds on the left.'}
      </Empty>
    );
  return (
    <Suspense fallback={<div className="kg-canvas" />}>
      <Picture
        key={`${search.node ?? ''} ${search.mode ?? ''} ${search.to ?? ''}`}
        graph={graph}
        middle={search.node}
        open={search.id}
        isPath={search.mode === 'path'}
        onOpen={onOpen}
      />
    </Suspense>
  );
}

/** One sentence about the nodes shown, and one about nodes left out. */
function Said({
  search,
  graph,
  middle,
  size,
  cut,
}: {
  search: GraphSearch;
  graph: Graph;
  middle: Thing | undefined;
  size: number | undefined;
  cut: GraphResult['cut'];
}) {
  const others = graph.things.filter(({ id }) => id !== search.node);
  const { things, relations } = graph;
  const isCut =
    cut === undefined
      ? ''
      : 'steps' in cut
        ? ` Nodes more than ${String(cut.steps)} steps away are not counted.`
        : ` Only the ${count(cut.shown)} closest are shown; there are more.`;
  if (search.mode === 'outage' && middle) {
    const kinds = counted(others)
      .slice(0, 5)
      .map(([kind, many]) => plural(many, kindName(kind).toLowerCase()));
    return others.length === 0 ? (
      <>Nothing depends on {middle.name}: an outage would affect nothing else.</>
    ) : (
      <>
        An outage of <b>{middle.name}</b> would affect {kinds.join(', ')}
        {counted(others).length > 5 && ' and others'}.{isCut}
      </>
    );
  }
  if (search.mode === 'needs' && middle)
    return (
      <>
        <b>{middle.name}</b> needs {others.length === 0 ? 'nothing else known' : plural(others.length, 'other node')}.
        {isCut}
      </>
    );
  if (search.mode === 'path') {
    if (search.to === undefined || things.length === 0 || search.node === undefined) return null;
    const name = (id: string) => things.find((thing) => thing.id === id)?.name ?? 'the node';
    return (
      <>
        <b>{name(search.node)}</b> and <b>{name(search.to)}</b> are{' '}
        {plural(distances(graph, search.node).get(search.to) ?? 0, 'step')} apart.
      </>
    );
  }
  if (search.node === undefined && cut && 'things' in cut)
    return (
      <>
        The first {count(cut.shown)} of {count(cut.things)} nodes are listed; find others by name.
      </>
    );
  const of = size !== undefined && size > things.length ? ` of ${count(size)}` : '';
  const { alone } = partsOf(graph);
  const isNarrowed = (search.filters ?? []).length > 0 || (search.hide ?? []).length > 0;
  return (
    <>
      {plural(things.length, 'node')}
      {of}, {plural(relations.length, 'relation')}.
      {alone.length > 0 &&
        things.length > 1 &&
        ` ${count(alone.length)} ${alone.length === 1 ? 'has' : 'have'} no relation ${
          isNarrowed ? 'to another node that is shown; the filters hide the others' : 'to another node'
        }.`}
      {isCut}
    </>
  );
}
