import { Link, getRouteApi } from '@tanstack/react-router';
import { Boxes, Cloud, Coins, Package, SearchX, Upload } from 'lucide-react';
import { useMemo } from 'react';
import { inTotals, isFiring, listingRows, useExtent, useGraphQL, useSavedViews } from '@/api';
import { host } from '@/host';
import {
  Button,
  Content,
  DataTable,
  Empty,
  NothingImported,
  ExportButton,
  Page,
  SearchBox,
  Segmented,
  Select,
  ViewsMenu,
  addDays,
  bounds,
  count,
  range,
  sortFromText,
  sortRows,
  sortToText,
  useNarrow,
  useNow,
} from '@/shared';
import type { DayRange } from '@/shared';
import { columnsFor, exportedColumns } from './columns';
import { Detail } from './Detail';
import { AccountCosts, Accounts } from './queries';
import { needsAttention, rowOf } from './row';
import type { Row } from './row';
import { accountsSearch } from './search';
import type { AccountsSearch } from './search';
import { empty, views, ways } from './words';
import './accounts.css';

const route = getRouteApi('/inventory/accounts');

const wayIcons = { costs: Coins, inventories: Boxes, bundle: Package } as const;

/** The last 30 days that have costs. */
function recent(days: DayRange): DayRange {
  const from = addDays(days.to, -29);
  return { from: from < days.from ? days.from : from, to: days.to };
}

/** Every account and cluster: its sources and their freshness, costs, and open events and recommendations. */
export function AccountsPage() {
  const now = useNow();
  const narrow = useNarrow();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const saved = useSavedViews('inventory/accounts');
  const query = useGraphQL(Accounts, { firing: isFiring });
  const extent = useExtent().data;
  const days = extent?.days ? recent(extent.days) : null;
  const costs = useGraphQL(
    AccountCosts,
    { where: { spend_date: bounds(days ?? { from: '2000-01-01', to: '2000-01-01' }), ...inTotals } },
    { enabled: days !== null },
  ).data;
  const all = useMemo(() => {
    const charges = listingRows(costs?.spend_groupings_v2);
    const reach = listingRows(costs?.reach);
    return query.data?.cloud_accounts.map((stored): Row => {
      const own = charges.filter(({ account_id: id }) => id === stored.id);
      const amounts = new Map(own.map(({ currency_type: of, billed_cost: amount }) => [of ?? '', amount ?? 0]));
      const last = reach.find(({ account_id: id }) => id === stored.id)?.last_date?.slice(0, 10) ?? null;
      return rowOf(stored, amounts, last, now);
    });
  }, [query.data, costs, now]);
  const currencies = useMemo(() => [...new Set(all?.flatMap(({ costs }) => [...costs.keys()]))].sort(), [all]);
  const sort = useMemo(() => sortFromText(search.sort ?? 'name'), [search.sort]);
  const room = narrow ? 'narrow' : search.id === undefined ? 'wide' : 'beside';
  const columns = columnsFor(room, currencies, days ? range(days.from, days.to, now) : 'Costs');
  const rows = sortRows(columnsFor('wide', currencies, ''), filtered(all ?? [], search), sort);
  const go = (change: { [Key in keyof AccountsSearch]?: AccountsSearch[Key] | undefined }, replace = true) => {
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined && value !== ''),
        ) as AccountsSearch,
      replace,
    });
  };
  const open = all?.find(({ id }) => id === search.id);
  const at = rows.findIndex(({ id }) => id === search.id);
  const step = (by: number) => {
    const next = rows[at + by];
    return at >= 0 && next
      ? () => {
          go({ id: next.id });
        }
      : undefined;
  };
  const isFilled = all !== undefined && all.length > 0;
  const providers = [...new Set(all?.map(({ provider }) => provider))].sort();
  return (
    <Page
      title="Accounts"
      crumb="Inventory"
      actions={
        isFilled && (
          <>
            <ViewsMenu
              saved={saved}
              search={search}
              passing={['id']}
              holds="Filters, search and sorting"
              example="Production on AWS"
              onOpen={(found) => {
                void navigate({ search: accountsSearch(found), replace: true });
              }}
            />
            <ExportButton
              name="accounts"
              columns={exportedColumns(currencies, days)}
              rows={rows}
              save={(file, text, type) => host.saveFile(file, text, type)}
            />
            <Link to="/imports" className="btn pri">
              <Upload className="i s" />
              Import files
            </Link>
          </>
        )
      }
      filters={
        isFilled && (
          <>
            <Segmented
              label="Which accounts"
              value={search.show ?? 'all'}
              options={[
                { value: 'all', label: views.all, count: count(all.length) },
                { value: 'attention', label: views.attention, count: count(all.filter(needsAttention).length) },
              ]}
              onChange={(show) => {
                go({ show: show === 'all' ? undefined : show });
              }}
            />
            <Select
              label="Provider"
              value={search.provider ?? ''}
              options={[{ value: '', label: 'All' }, ...providers.map((value) => ({ value, label: value }))]}
              onChange={(provider) => {
                go({ provider });
              }}
            />
            <span className="end-bar">
              <SearchBox
                label="Filter accounts"
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
        open && (
          <Detail
            key={open.id}
            row={open}
            days={days}
            onClose={() => {
              go({ id: undefined });
            }}
            onPrevious={step(-1)}
            onNext={step(1)}
          />
        )
      }
    >
      <Content of={{ ...query, data: all }} what="Accounts could not be read" lines={8}>
        {() =>
          isFilled ? (
            <div className="stack">
              <section className="panel" aria-label="Accounts">
                <DataTable
                  label="Accounts"
                  columns={columns}
                  rows={rows}
                  rowId={(row) => row.id}
                  rowHeight={46}
                  primary
                  openId={search.id ?? null}
                  onOpen={(row) => {
                    go({ id: row.id }, search.id !== undefined);
                  }}
                  sort={sort.filter(({ id }) => columns.some((column) => column.id === id))}
                  onSort={(next) => {
                    go({ sort: sortToText(next) === 'name' ? undefined : sortToText(next) });
                  }}
                  empty={
                    <Empty
                      icon={SearchX}
                      title="No account matches"
                      action={
                        <Button
                          onClick={() => {
                            go({ q: undefined, provider: undefined, show: undefined });
                          }}
                        >
                          Clear filters
                        </Button>
                      }
                    />
                  }
                />
              </section>
              <div className="ways">
                {ways.map(({ id, title, text, action }) => {
                  const Icon = wayIcons[id];
                  return (
                    <section className="panel" key={id} aria-label={title}>
                      <h2 className="row">
                        <Icon className="i" /> {title}
                      </h2>
                      <p className="small muted">{text}</p>
                      <Link to="/imports">{action}</Link>
                    </section>
                  );
                })}
              </div>
            </div>
          ) : (
            <NothingImported icon={Cloud} words={empty} />
          )
        }
      </Content>
    </Page>
  );
}

/** The accounts a search leaves; every word must be found somewhere in the row. */
function filtered(rows: readonly Row[], { q = '', show, provider }: AccountsSearch): Row[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (show === 'attention' && !needsAttention(row)) return false;
    if (provider !== undefined && row.provider !== provider) return false;
    const text = [row.name, row.number, row.kind, row.provider, row.stored.region, row.fresh.text]
      .join(' ')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
