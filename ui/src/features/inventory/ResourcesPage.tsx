import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useExtent, useGraphQL } from '@/api';
import { Content, Filters, Page, SearchBox } from '@/shared';
import type { DayRange } from '@/shared';
import { Detail } from './Detail';
import { filterFields } from './fields';
import { List } from './List';
import { NoResources } from './NoResources';
import { ResourceCosts, ResourceCount, ResourceValues, Resources } from './queries';
import { billedOf, rowOf } from './row';
import { tidy } from './search';
import type { ResourcesSearch } from './search';
import { costWhere, recent, resourcesWhere } from './where';
import './inventory.css';

const route = getRouteApi('/inventory/resources');

/** Resources that are read at once; the rest is found by narrowing the list. */
const most = 20_000;
/** Amounts that are read at once: one for each resource and currency. */
const mostCosts = 100_000;
/** Before any import there are no days to ask about. */
const noDays: DayRange = { from: '2000-01-01', to: '2000-01-01' };

/** What costs money, one line each. */
export function ResourcesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const count = useGraphQL(ResourceCount, {});
  const values = useGraphQL(ResourceValues, {});
  const resources = useGraphQL(Resources, { where: resourcesWhere(search), limit: most });
  const extent = useExtent();
  const days = extent.data?.days ? recent(extent.data.days) : null;
  const costs = useGraphQL(
    ResourceCosts,
    { where: costWhere(days ?? noDays), limit: mostCosts },
    { enabled: days !== null },
  );
  const billed = useMemo(() => costs.data && billedOf(costs.data.spend_groupings_v2, mostCosts), [costs.data]);
  const rows = useMemo(
    () => resources.data?.cloud_resourses.map((stored) => rowOf(stored, billed)),
    [resources.data, billed],
  );
  const go = (change: { [Key in keyof ResourcesSearch]?: ResourcesSearch[Key] | undefined }, replace = true) => {
    void navigate({ search: (before) => tidy({ ...before, ...change }), replace });
  };
  const isFilled = (count.data?.cloud_resourses_aggregate.aggregate?.count ?? 0) > 0;
  return (
    <Page
      title="Resources"
      crumb="Inventory"
      flush
      filters={
        isFilled && (
          <>
            <Filters
              fields={filterFields(values)}
              value={search.filters ?? []}
              onChange={(filters) => {
                go({ filters });
              }}
            />
            <span className="end-bar">
              <SearchBox
                label="Find resources"
                value={search.q ?? ''}
                onChange={(q) => {
                  go({ q });
                }}
              />
            </span>
          </>
        )
      }
      side={
        search.id !== undefined && (
          <Detail
            key={search.id}
            id={search.id}
            days={days}
            onClose={() => {
              go({ id: undefined });
            }}
          />
        )
      }
    >
      <section className="resources" aria-label="Resources">
        <Content of={count} what="Resources could not be read" lines={8}>
          {() =>
            isFilled ? (
              <List
                rows={rows}
                found={resources.data?.cloud_resourses_aggregate.aggregate?.count ?? 0}
                error={resources.error}
                retry={resources.refetch}
                days={days}
                billed={billed}
                costsError={costs.error ?? extent.error}
                narrowed={search.q !== undefined || search.filters !== undefined}
                openId={search.id ?? null}
                onOpen={(row) => {
                  go({ id: row.id }, search.id !== undefined);
                }}
                sort={search.sort}
                onSort={(sort) => {
                  go({ sort });
                }}
                onClear={() => {
                  go({ q: undefined, filters: undefined });
                }}
              />
            ) : (
              <NoResources />
            )
          }
        </Content>
      </section>
    </Page>
  );
}
