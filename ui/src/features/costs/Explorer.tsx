import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, lazy, useCallback, useMemo } from 'react';
import { useSavedViews } from '@/api';
import type { CostDays } from '@/api';
import { Content, Loading, Page, Panel, ViewsMenu, previous } from '@/shared';
import { Answer } from './Answer';
import { ExportMenu } from './ExportMenu';
import type { Ask } from './load';
import { usualRange } from './period';
import { QueryBar } from './QueryBar';
import { explorerSearch, tidy } from './search';
import type { ExplorerSearch } from './search';
import { useView } from './useView';

// Loaded when a query has no results.
const NoMatch = lazy(() => import('./NoMatch').then((found) => ({ default: found.NoMatch })));
// Loaded when a charge is opened.
const ChargePanel = lazy(() => import('./ChargePanel').then((found) => ({ default: found.ChargePanel })));

/** Changes the page state; `quietly` replaces the history entry. */
export type Change = (
  change: { [Key in keyof ExplorerSearch]?: ExplorerSearch[Key] | undefined },
  quietly?: boolean,
) => void;

/** The query defined by the address. */
function useAsk(search: ExplorerSearch, extent: CostDays): Ask {
  const { from, to, compare, unit, by, metric, currency, filters } = search;
  return useMemo(() => {
    const range = from && to ? { from, to } : usualRange(extent);
    return {
      range,
      before: compare ? previous(range) : null,
      unit: unit ?? 'day',
      by: by ?? 'service',
      metric: metric ?? 'billed',
      currency,
      filters: filters ?? [],
    };
  }, [from, to, compare, unit, by, metric, currency, filters, extent]);
}

export function Explorer({ extent }: { extent: CostDays }) {
  const search = useSearch({ from: '/costs/explorer' });
  const navigate = useNavigate({ from: '/costs/explorer' });
  const change = useCallback<Change>(
    (patch, quietly = false) => {
      void navigate({ to: '.', search: (before) => tidy({ ...before, ...patch }), replace: quietly });
    },
    [navigate],
  );
  const saved = useSavedViews('costs/explorer');
  const ask = useAsk(search, extent);
  const query = useView(ask);
  const view = query.data;
  // A question that failed would leave the last answer under a heading it does not belong to: then the failure is shown.
  const data = query.error && query.isPlaceholderData ? undefined : view;
  const answer = { data, error: query.error, refetch: query.refetch };
  return (
    <Page
      title="Explorer"
      crumb="Costs"
      actions={
        <>
          <ViewsMenu
            saved={saved}
            search={search}
            passing={['charge', 'open', 'rows']}
            holds="Period, grouping, filters and columns"
            example="Cost by team"
            onOpen={(found) => {
              void navigate({ to: '.', search: tidy(explorerSearch(found)), replace: true });
            }}
          />
          <ExportMenu />
        </>
      }
      filters={<QueryBar ask={ask} view={view} extent={extent} change={change} />}
      side={
        search.charge && (
          <Suspense fallback={null}>
            <ChargePanel
              key={search.charge}
              id={search.charge}
              onClose={() => {
                change({ charge: undefined });
              }}
            />
          </Suspense>
        )
      }
    >
      {data && data.groups.length > 0 ? (
        <Answer view={data} search={search} change={change} isStale={query.isPlaceholderData} />
      ) : (
        <Panel label="Costs">
          <Content of={answer} what="Costs could not be read" lines={8}>
            {(found) => (
              <Suspense fallback={<Loading />}>
                <NoMatch ask={found.ask} extent={extent} change={change} />
              </Suspense>
            )}
          </Content>
        </Panel>
      )}
    </Page>
  );
}
