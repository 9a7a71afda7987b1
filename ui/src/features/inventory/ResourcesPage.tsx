import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useExtent, useGraphQL, useSavedViews } from '@/api';
import { host } from '@/host';
import { Content, ExportButton, Filters, Page, SearchBox, ViewsMenu, useNow } from '@/shared';
import type { DayRange } from '@/shared';
import { exportedColumns } from './columns';
import { Detail } from './Detail';
import { filterFields } from './fields';
import { List } from './List';
import { NoResources } from './NoResources';
import { AllBilled, ResourceCount, ResourceTotals, ResourceValues } from './queries';
import { costsOf } from './row';
import { resourcesSearch, tidy } from './search';
import type { ResourcesSearch } from './search';
import { readRows, usePages } from './usePages';
import { costId, recent, totalsRequest } from './where';
import './inventory.css';

const route = getRouteApi('/inventory/resources');

/** Before any import there is no date range to query. */
const noDays: DayRange = { from: '2000-01-01', to: '2000-01-01' };

/** Billed resources, one line each. */
export function ResourcesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const saved = useSavedViews('inventory/resources');
  const now = useNow();
  const count = useGraphQL(ResourceCount, {});
  const extent = useExtent();
  const isKnown = extent.data !== undefined || extent.error !== null;
  const days = extent.data?.days ? recent(extent.data.days) : null;
  const request = totalsRequest(days ?? noDays, search);
  const totals = useGraphQL(ResourceTotals, { request }, { enabled: isKnown });
  const all = useGraphQL(AllBilled, { request: totalsRequest(days ?? noDays, {}) }, { enabled: days !== null });
  const billed = all.data?.cloud_resources_totals;
  const unassigned = useMemo(() => costsOf(billed?.unassigned ?? []), [billed]);
  // Charges that name no resource may have a currency of their own: it needs no column.
  const currencies = useMemo(() => billed?.billed.map(({ currency }) => currency ?? '') ?? [], [billed]);
  const usualSort = currencies[0] === undefined ? 'name' : `-${costId(currencies[0])}`;
  const isSortKnown = isKnown && (search.sort !== undefined || days === null || billed !== undefined || all.isError);
  const found = totals.data?.cloud_resources_totals;
  const isCurrent = !totals.isPlaceholderData;
  const pages = usePages(
    request,
    isSortKnown ? (search.sort ?? usualSort) : undefined,
    isCurrent ? found?.count : undefined,
  );
  // Filter values are read from all resources: the list does not wait for them, unless an active filter needs its name.
  const isFirst = pages.rows === undefined && pages.error === null && (search.filters ?? []).length === 0;
  const values = useGraphQL(ResourceValues, {}, { enabled: !isFirst });
  const sums = useMemo(() => found && costsOf(found.billed), [found]);
  const go = (change: { [Key in keyof ResourcesSearch]?: ResourcesSearch[Key] | undefined }, replace = true) => {
    void navigate({ search: (before) => tidy({ ...before, ...change }), replace });
  };
  const isFilled = (count.data?.cloud_resourses_aggregate.aggregate?.count ?? 0) > 0;
  return (
    <Page
      title="Resources"
      crumb="Inventory"
      flush
      actions={
        isFilled && (
          <>
            <ViewsMenu
              saved={saved}
              search={search}
              passing={['id']}
              holds="Filters, search and sorting"
              example="Volumes in eu-west-1"
              onOpen={(found) => {
                void navigate({ search: resourcesSearch(found), replace: true });
              }}
            />
            <ExportButton
              name="resources"
              columns={exportedColumns(currencies, days, now)}
              total={isCurrent ? found?.count : undefined}
              rows={() => readRows(request, search.sort ?? usualSort, found?.count ?? 0)}
              save={(file, text, type) => host.saveFile(file, text, type)}
            />
          </>
        )
      }
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
                pages={pages}
                of={JSON.stringify([request, search.sort])}
                found={found?.count}
                isCurrent={isCurrent}
                error={totals.error}
                retry={totals.refetch}
                days={days}
                totals={sums ?? undefined}
                currencies={currencies}
                unassigned={unassigned}
                costsError={all.error ?? extent.error}
                narrowed={search.q !== undefined || search.filters !== undefined}
                openId={search.id ?? null}
                onOpen={(row) => {
                  go({ id: row.id }, search.id !== undefined);
                }}
                sort={search.sort}
                usualSort={usualSort}
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
