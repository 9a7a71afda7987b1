import { Link, getRouteApi } from '@tanstack/react-router';
import { Boxes, FileDiff, FileSearch, Package, Upload } from 'lucide-react';
import { useEffect } from 'react';
import { isFiring, useGraphQL, useSavedViews } from '@/api';
import type { VariablesOf } from '@/api';
import { host } from '@/host';
import {
  Button,
  Check,
  Content,
  NothingImported,
  ExportButton,
  Page,
  SearchBox,
  Select,
  Tabs,
  ViewsMenu,
  count,
  date,
  useNow,
  plural,
} from '@/shared';
import { BundleFiles, filesIn, useBundle } from './BundleFiles';
import { ChangesPanel } from './ChangesPanel';
import { columnsFor } from './columns';
import { Detail } from './Detail';
import { FindObjects } from './FindObjects';
import { lastCluster, rememberCluster } from './lastCluster';
import { Head, Standing, standing } from './Head';
import type { Cluster } from './Head';
import { List, readRows, useRows, useRowsByCost, useUsage } from './List';
import { CostsExplained } from './CostsExplained';
import { amounts, isOrderable, useClusterBill, useClusterCosts, useCosts } from './costs';
import { ClusterCounts, Clusters } from './queries';
import { isBeside, kubernetesSearch, tabNames } from './search';
import type { KubernetesSearch, TabName } from './search';
import { whereOf } from './where';
import { empty, fromFiles, noUse, tabs } from './words';
import './kubernetes.css';

const route = getRouteApi('/inventory/kubernetes');
type Change = { [Key in keyof KubernetesSearch]?: KubernetesSearch[Key] | undefined };

/** Clusters, and in one of them its namespaces, workloads, pods and nodes. */
export function KubernetesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useGraphQL(Clusters, { firing: isFiring });
  const clusters = query.data?.cloud_accounts ?? [];
  // Without a cluster in the address, the page opens the last one viewed.
  const cluster = clusters.find(({ id }) => id === (search.cluster ?? lastCluster(clusters))) ?? clusters[0];
  const isKnown = clusters.some(({ id }) => id === search.cluster);
  useEffect(() => {
    if (search.cluster !== undefined && isKnown) rememberCluster(search.cluster);
  }, [search.cluster, isKnown]);
  const go = (change: Change, replace = true) => {
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined && value !== ''),
        ) as KubernetesSearch,
      replace,
    });
  };
  if (!cluster)
    return (
      <Page title="Kubernetes" crumb="Inventory">
        <Content of={query} what="Clusters could not be read" lines={8}>
          {() => <NothingImported icon={Boxes} words={empty} />}
        </Content>
      </Page>
    );
  return <InCluster key={cluster.id} clusters={clusters} cluster={cluster} search={search} onGo={go} />;
}

function InCluster({
  clusters,
  cluster,
  search,
  onGo,
}: {
  clusters: readonly Cluster[];
  cluster: Cluster;
  search: KubernetesSearch;
  onGo: (change: Change, replace?: boolean) => void;
}) {
  const now = useNow();
  const navigate = route.useNavigate();
  const saved = useSavedViews('inventory/kubernetes');
  const bundle = useBundle(cluster);
  const isOfFiles = search.tab === 'files' && bundle !== undefined;
  const tab: TabName = search.tab === 'files' ? 'workloads' : (search.tab ?? 'workloads');
  // The filters of the files are not those of the objects.
  const asked: KubernetesSearch = search.tab === 'files' ? {} : search;
  const where = (of: TabName) => whereOf(of, cluster.id, of === tab ? asked : {});
  const counts = useGraphQL(ClusterCounts, {
    cluster: cluster.id,
    name: cluster.id,
    ...Object.fromEntries(tabNames.map((name) => [name, where(name)])),
  } as VariablesOf<typeof ClusterCounts>);
  const many = (name: TabName) => counts.data?.[name].aggregate?.count;
  const total = counts.isPlaceholderData ? undefined : many(tab);
  const part = useRows(cluster.id, tab, asked, total);
  const usage = useUsage(cluster.id);
  const costs = useCosts(cluster.id);
  const rows = useRowsByCost(part, { cluster: cluster.id, tab, search: asked, total }, costs);
  const at = rows.rows?.findIndex(({ id }) => id === search.id) ?? -1;
  const open = rows.rows?.[at];
  const step = (by: number) => {
    const next = rows.rows?.[at + by];
    return at >= 0 && next
      ? () => {
          onGo({ id: next.id });
        }
      : undefined;
  };
  return (
    <Page
      title="Kubernetes"
      crumb="Inventory"
      flush
      actions={
        <>
          <Button
            aria-pressed={search.changes !== undefined}
            onClick={() => {
              onGo(
                search.changes === undefined
                  ? { changes: 'newest', yaml: undefined, id: undefined }
                  : { changes: undefined },
              );
            }}
          >
            <FileDiff className="i s" />
            Changes
          </Button>
          <Button
            aria-pressed={search.yaml !== undefined}
            onClick={() => {
              onGo(search.yaml === undefined ? { yaml: ' ', id: undefined, changes: undefined } : { yaml: undefined });
            }}
          >
            <FileSearch className="i s" />
            Search YAML
          </Button>
          <ViewsMenu
            saved={saved}
            search={search}
            passing={['id']}
            holds="Cluster, kind of objects, filters and sorting"
            example="Pods that do not run"
            onOpen={(found) => {
              void navigate({ search: kubernetesSearch(found), replace: true });
            }}
          />
        </>
      }
      side={
        search.changes !== undefined && search.id === undefined ? (
          <ChangesPanel
            cluster={cluster.id}
            name={cluster.account_name}
            namespaces={counts.data?.names.map(({ name }) => name) ?? []}
            dump={search.changes}
            onDump={(changes) => {
              onGo({ changes });
            }}
            onClose={() => {
              onGo({ changes: undefined });
            }}
          />
        ) : search.yaml !== undefined && search.id === undefined ? (
          <FindObjects
            cluster={cluster.id}
            name={cluster.account_name}
            text={search.yaml.trim()}
            onText={(yaml) => {
              onGo({ yaml: yaml === '' ? ' ' : yaml });
            }}
            onClose={() => {
              onGo({ yaml: undefined });
            }}
          />
        ) : (
          open && (
            <Detail
              key={open.id}
              row={open}
              cluster={cluster.id}
              costs={costs}
              onClose={() => {
                onGo({ id: undefined });
              }}
              onPrevious={step(-1)}
              onNext={step(1)}
            />
          )
        )
      }
    >
      <div className="k8s">
        <nav className="clusters" aria-label="Clusters">
          <h2 className="small muted">Clusters</h2>
          {clusters.map((one) => (
            <ClusterLine key={one.id} of={one} isOpen={one.id === cluster.id} />
          ))}
          {standing(cluster, now).tone !== 'info' && (
            <Link to="/imports" className="btn sm">
              Import a bundle
            </Link>
          )}
        </nav>
        <section className="incluster" aria-label={cluster.account_name}>
          <Head cluster={cluster} counts={counts.data} costs={costs} />
          {standing(cluster, now).tone === 'info' && <FromFiles at={cluster.synced_at} />}
          <Tabs
            label="Kinds of objects"
            value={isOfFiles ? 'files' : tab}
            options={[
              ...tabNames.map((value) => ({ value, label: tabs[value], count: many(value) })),
              ...(bundle ? [{ value: 'files' as const, label: tabs.files, count: filesIn(bundle) }] : []),
            ]}
            onChange={(next) => {
              onGo({
                tab: next === 'workloads' ? undefined : next,
                id: undefined,
                sort: undefined,
                q: undefined,
                trouble: undefined,
              });
            }}
          />
          {isOfFiles ? (
            <BundleFiles bundle={bundle} search={search} onGo={onGo} />
          ) : (
            <>
              <div className="k8s-bar" role="group" aria-label="Filters">
                {(tab === 'workloads' || tab === 'pods') && (
                  <Select
                    label="Namespace"
                    value={search.namespace ?? ''}
                    options={[
                      { value: '', label: `All ${count(counts.data?.names.length ?? 0)}` },
                      ...(counts.data?.names.map(({ name }) => ({ value: name, label: name })) ?? []),
                    ]}
                    onChange={(namespace) => {
                      onGo({ namespace });
                    }}
                  />
                )}
                {tab === 'pods' && (
                  <Check
                    label={`Not running ${count(counts.data?.notRunning.aggregate?.count ?? 0)}`}
                    checked={search.trouble ?? false}
                    onChange={(trouble) => {
                      onGo({ trouble: trouble ? true : undefined });
                    }}
                  />
                )}
                {tab === 'workloads' && usage.size === 0 && costs === null && !isBeside(search) && (
                  <span className="small muted hide-n cut k8s-hint" title={noUse.title}>
                    {noUse.text}
                  </span>
                )}
                {costs !== null && !isBeside(search) && <CostsExplained costs={costs} />}
                <span className="end-bar row">
                  <ExportButton
                    name={tabs[tab].toLowerCase()}
                    size="small"
                    columns={columnsFor(tab, 'wide', usage, now, costs)}
                    total={total}
                    rows={() => readRows(cluster.id, tab, search, total ?? 0)}
                    save={(file, text, type) => host.saveFile(file, text, type)}
                  />
                  <SearchBox
                    label={`Filter ${tabs[tab].toLowerCase()}`}
                    value={search.q ?? ''}
                    onChange={(q) => {
                      onGo({ q });
                    }}
                  />
                </span>
              </div>
              <List
                tab={tab}
                rows={rows}
                total={total}
                usage={usage}
                costs={costs}
                isOrderable={isOrderable(costs, total)}
                search={search}
                onGo={onGo}
              />
            </>
          )}
        </section>
      </div>
    </Page>
  );
}

function ClusterLine({ of, isOpen }: { of: Cluster; isOpen: boolean }) {
  const now = useNow();
  const { tone, text } = standing(of, now);
  const firing = of.firing.aggregate?.count ?? 0;
  const atTool = useClusterCosts().get(of.id);
  const cost = useClusterBill(of.id) ?? atTool;
  return (
    <Link
      from="/inventory/kubernetes"
      to="/inventory/kubernetes"
      search={(before) => ({
        ...(before.tab ? { tab: before.tab } : {}),
        ...(before.changes === undefined ? {} : { changes: 'newest' }),
        cluster: of.id,
      })}
      className={isOpen ? 'cluster on' : 'cluster'}
      {...(isOpen ? { 'aria-current': 'true' as const } : {})}
    >
      <span className="split">
        <b className="cut">{of.account_name}</b>
        <span className="row small">
          {firing > 0 && <span className="st bad">{count(firing)} firing</span>}
          {cost && <span className="num muted">{amounts(cost)}</span>}
        </span>
      </span>
      <span className="split small">
        <span className="muted">
          {[of.agents[0]?.k8s_version, plural(of.k8s_nodes_aggregate.aggregate?.count ?? 0, 'node')]
            .filter(Boolean)
            .join(', ')}
        </span>
        <Standing tone={tone} text={text} />
      </span>
    </Link>
  );
}

/** Note that the data of a cluster is imported, and how to update it. */
function FromFiles({ at }: { at: string | null }) {
  const now = useNow();
  return (
    <div className="note from-files">
      <Package className="i" />
      <div className="grow">
        <b>{fromFiles.title(at === null ? null : date(at, now))}</b>
        <p className="small">{fromFiles.text}</p>
      </div>
      <Link to="/imports" className="btn sm">
        <Upload className="i s" />
        {fromFiles.action}
      </Link>
    </div>
  );
}
