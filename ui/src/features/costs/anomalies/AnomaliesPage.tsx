import { Link, getRouteApi } from '@tanstack/react-router';
import { Settings2, TrendingUpDown } from 'lucide-react';
import { useMemo } from 'react';
import { useExtent, useGraphQL, useSavedViews } from '@/api';
import {
  Button,
  Content,
  DateRangePicker,
  Empty,
  Filters,
  Page,
  SearchBox,
  Segmented,
  ViewsMenu,
  count,
  toDay,
  useToday,
} from '@/shared';
import type { DayRange, FilterField } from '@/shared';
import { namedRanges } from '../period';
import { Card } from './Card';
import { List } from './List';
import { CostAnomalies } from './queries';
import { rowOf, shown, sorted, valuesOf } from './row';
import type { Row } from './row';
import { RulesPanel } from './rules/RulesPanel';
import { anomaliesSearch, fieldNames } from './search';
import type { AnomaliesSearch } from './search';
import './anomalies.css';

const route = getRouteApi('/costs/anomalies');
const fieldLabels = { kind: 'Kind', account: 'Account', service: 'Service' };

/** Days and hours with anomalies of costs, metrics or events: a list and the details of the selected one. */
export function AnomaliesPage() {
  const query = useGraphQL(CostAnomalies, {});
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const saved = useSavedViews('costs/anomalies');
  const now = useToday();
  const all = useMemo(() => {
    if (!query.data) return undefined;
    const accounts = new Map(query.data.cloud_accounts.map(({ id, account_name: name }) => [id, name]));
    return sorted(query.data.anomaly.map((stored) => rowOf(stored, accounts, now)).filter((row) => row !== null));
  }, [query.data, now]);
  const rows = useMemo(() => shown(all ?? [], search), [all, search]);
  const today = toDay(now);
  const days = useExtent().data?.days;
  const go = (change: { [name in keyof AnomaliesSearch]?: AnomaliesSearch[name] | undefined }) => {
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined && value.length > 0),
        ) as AnomaliesSearch,
      replace: true,
    });
  };
  // The first one is open by default.
  const open = all?.find((row) => row.id === search.id) ?? rows[0];
  const at = rows.findIndex((row) => row.id === open?.id);
  const step = (by: number) => {
    const next = rows[at + by];
    return at >= 0 && next
      ? () => {
          go({ id: next.id });
        }
      : undefined;
  };
  const inPeriod = shown(all ?? [], { ...search, show: undefined, q: undefined });
  const fields = useMemo(
    () =>
      fieldNames.map((id): FilterField => ({
        id,
        label: fieldLabels[id],
        useValues: () => ({ values: all && valuesOf(all, id), error: null }),
      })),
    [all],
  );
  const unjudged = inPeriod.filter((row) => row.verdict === null).length;
  const isFilled = all !== undefined && all.length > 0;
  const extent = isFilled ? extentOf(all, days) : undefined;
  return (
    <Page
      title="Anomalies"
      crumb="Costs"
      flush
      actions={
        <>
          {isFilled && (
            <ViewsMenu
              saved={saved}
              search={search}
              passing={['id', 'rules']}
              holds="Verdict, period, filters and search"
              example="To be judged"
              onOpen={(found) => {
                void navigate({ search: anomaliesSearch(found), replace: true });
              }}
            />
          )}
          <Button
            aria-pressed={search.rules !== undefined}
            onClick={() => {
              go({ rules: search.rules === undefined ? 'list' : undefined });
            }}
          >
            <Settings2 className="i" />
            Detection rules
          </Button>
        </>
      }
      filters={
        isFilled && (
          <>
            <Segmented
              label="Verdict"
              value={search.show ?? 'all'}
              options={[
                { value: 'all', label: 'All', count: count(inPeriod.length) },
                { value: 'unjudged', label: 'No verdict', count: count(unjudged) },
              ]}
              onChange={(show) => {
                go({ show: show === 'unjudged' ? 'unjudged' : undefined, id: undefined });
              }}
            />
            {extent && (
              <DateRangePicker
                value={search.from && search.to ? { from: search.from, to: search.to } : extent}
                today={today}
                named={namedRanges(extent)}
                onChange={({ from, to }) => {
                  const isAll = from === extent.from && to === extent.to;
                  go(isAll ? { from: undefined, to: undefined, id: undefined } : { from, to, id: undefined });
                }}
              />
            )}
            <Filters
              fields={fields}
              value={search.filters ?? []}
              onChange={(filters) => {
                go({ filters, id: undefined });
              }}
            />
            <span className="end-bar">
              <SearchBox
                label="Filter anomalies"
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
        search.rules !== undefined && (
          <RulesPanel
            rows={all ?? []}
            open={search.rules}
            onOpen={(rules) => {
              go({ rules });
            }}
            onClose={() => {
              go({ rules: undefined });
            }}
          />
        )
      }
    >
      <section className="anomalies" aria-label="Anomalies">
        <Content of={{ ...query, data: all }} what="Anomalies could not be read" lines={8}>
          {(found) =>
            found.length === 0 ? (
              <Empty
                icon={TrendingUpDown}
                title="No anomalies"
                action={
                  <Link to="/imports" className="btn">
                    Import cost files
                  </Link>
                }
              >
                Costs are checked after each import. Detection needs 10 complete days of a service; the newest day is
                not checked, because its file may be incomplete.
              </Empty>
            ) : (
              <>
                <List
                  rows={rows}
                  unjudged={unjudged}
                  openId={open?.id}
                  onOpen={(row) => {
                    go({ id: row.id });
                  }}
                />
                {open && <Card key={open.id} row={open} onPrevious={step(-1)} onNext={step(1)} />}
              </>
            )
          }
        </Content>
      </section>
    </Page>
  );
}

/** The days with costs, and the days of stored anomalies without costs. */
function extentOf(rows: readonly Row[], days: DayRange | null | undefined): DayRange {
  const first = [...rows.map(({ from }) => from), ...(days ? [days.from] : [])].sort();
  const last = [...rows.map(({ to }) => to), ...(days ? [days.to] : [])].sort();
  return { from: first[0] ?? '', to: last.at(-1) ?? '' };
}
