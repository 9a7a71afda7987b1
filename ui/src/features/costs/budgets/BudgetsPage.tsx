import { getRouteApi } from '@tanstack/react-router';
import { CalendarDays, Plus, Search } from 'lucide-react';
import { useMemo } from 'react';
import { listingRows, useExtent, useGraphQL, useSavedViews } from '@/api';
import { host } from '@/host';
import {
  Button,
  Content,
  Empty,
  ExportButton,
  Page,
  Panel,
  SearchBox,
  Segmented,
  Select,
  ViewsMenu,
  count,
  month,
  useCommands,
  useToday,
} from '@/shared';
import { useScopeFields } from '../scopeFields';
import { BudgetPanel } from './BudgetPanel';
import { BudgetTable, NoBudgets, exportedColumns } from './BudgetTable';
import { BudgetTiles } from './BudgetTiles';
import { SpreadNote } from './SpreadNote';
import { monthsOf, requestFor } from './month';
import { Accounts, Budgets } from './queries';
import type { Budget } from './queries';
import { budgetsSearch, scopeKinds } from './search';
import type { BudgetsSearch } from './search';
import { hasEnded, isEverything, needsAttention, scopeKind, scopeWords } from './stand';
import { useBudgetActs } from './useBudgetActs';
import { words } from './words';
import './budgets.css';

const route = getRouteApi('/costs/budgets');

/** Budgets with billed cost and forecast. */
export function BudgetsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const saved = useSavedViews('costs/budgets');
  const today = useToday();
  const days = useExtent().data?.days;
  const months = useMemo(() => (days ? monthsOf(days) : []), [days]);
  const found = useGraphQL(Budgets, { request: requestFor(search.month, months[0]) });
  const accounts = useGraphQL(Accounts, {});
  const { reason } = useBudgetActs();
  const names = useMemo(
    () => new Map(listingRows(accounts.data?.cloud_accounts_v2).map((row) => [row.id ?? '', row.account_name ?? ''])),
    [accounts.data],
  );
  const everyone = found.data?.spend_budgets?.rows ?? [];
  const kinds = scopeKinds.filter((kind) => everyone.some((budget) => scopeKind(budget) === kind));
  const all = everyone.filter((budget) => search.scope === undefined || scopeKind(budget) === search.scope);
  const several = new Set(everyone.flatMap(({ currency }) => currency ?? [])).size > 1;
  const put = (to: Partial<Record<keyof BudgetsSearch, string | undefined>>, replace = true) => {
    void navigate({ search: (before) => tidy({ ...before, ...to }), replace });
  };
  const add = () => {
    put({ id: 'new' }, false);
  };
  useCommands(
    reason === undefined
      ? [{ id: 'budget-add', title: words.add, group: 'Do', keys: 'shift+n', icon: Plus, run: add }]
      : [],
  );
  const open = everyone.find(({ budget_id }) => budget_id === search.id);
  const isNew = search.id === 'new' && reason === undefined;
  const attention = all.filter(needsAttention);
  const shown = (search.show === 'attention' ? attention : all).filter((budget) => matches(budget, search.q, names));
  const whole = everyone.find((budget) => budget.account_id === null && isEverything(budget));
  return (
    <Page
      title={words.title}
      crumb={words.crumb}
      actions={
        <>
          {everyone.length > 0 && (
            <ViewsMenu
              saved={saved}
              search={search}
              passing={['id']}
              holds={words.viewHolds}
              example={words.viewExample}
              onOpen={(found) => {
                void navigate({ search: budgetsSearch(found), replace: true });
              }}
            />
          )}
          {shown.length > 0 && (
            <ExportButton
              name="budgets"
              columns={exportedColumns(names, several, today)}
              rows={shown}
              save={(file, text, type) => host.saveFile(file, text, type)}
            />
          )}
          <Button kind="primary" reason={reason} onClick={add}>
            <Plus className="i" />
            {words.add}
          </Button>
        </>
      }
      filters={
        everyone.length > 0 && (
          <>
            {months[0] !== undefined && (
              <Select
                label={words.month}
                hideLabel
                icon={CalendarDays}
                value={months.find((one) => one === search.month) ?? months[0]}
                options={months.map((value) => ({ value, label: month(`${value}-01`) }))}
                onChange={(value) => {
                  put({ month: value === months[0] ? undefined : value });
                }}
              />
            )}
            {(kinds.length > 1 || search.scope !== undefined) && (
              <Select
                label={words.scope}
                value={search.scope ?? 'all'}
                options={[
                  { value: 'all' as const, label: words.all },
                  ...scopeKinds
                    .filter((kind) => kinds.includes(kind) || kind === search.scope)
                    .map((kind) => ({ value: kind, label: words.scopes[kind] })),
                ]}
                onChange={(scope) => {
                  put({ scope: scope === 'all' ? undefined : scope });
                }}
              />
            )}
            <Segmented
              label={words.show}
              value={search.show ?? 'all'}
              options={[
                { value: 'all', label: words.all, count: count(all.length) },
                { value: 'attention', label: words.attention, count: count(attention.length) },
              ]}
              onChange={(show) => {
                put({ show: show === 'attention' ? show : undefined });
              }}
            />
            <span className="end-bar">
              <SearchBox
                label={words.filter}
                value={search.q ?? ''}
                onChange={(q) => {
                  put({ q });
                }}
              />
            </span>
          </>
        )
      }
      side={
        (open ?? isNew) && (
          <WithFields
            key={open?.budget_id ?? 'new'}
            budget={open}
            several={several}
            others={everyone[0]?.currency ?? null}
            onClose={() => {
              put({ id: undefined });
            }}
            onDone={(id) => {
              put({ id: id ?? undefined });
            }}
          />
        )
      }
    >
      <Content of={found} what={words.failed} lines={6}>
        {() =>
          everyone.length === 0 ? (
            <Panel label={words.table}>
              <NoBudgets
                action={
                  <Button reason={reason} onClick={add}>
                    <Plus className="i" />
                    {words.add}
                  </Button>
                }
              />
            </Panel>
          ) : (
            <div className="stack budgets">
              {whole && <BudgetTiles budget={whole} several={several} />}
              <Panel label={words.table}>
                <BudgetTable
                  budgets={shown}
                  names={names}
                  several={several}
                  openId={open?.budget_id ?? null}
                  onOpen={(budget) => {
                    put({ id: budget.budget_id }, false);
                  }}
                  empty={
                    <Empty icon={Search} title={words.noMatch}>
                      {words.noMatchHelp}
                    </Empty>
                  }
                />
                <Legend isExpecting={!shown.every(hasEnded)} />
                {search.month !== undefined && <p className="small muted budget-legend">{words.pastHelp}</p>}
              </Panel>
              {whole && (
                <SpreadNote
                  whole={whole}
                  budgets={everyone}
                  several={several}
                  onOpen={() => {
                    put({ id: whole.budget_id }, false);
                  }}
                />
              )}
            </div>
          )
        }
      </Content>
    </Page>
  );
}

/** The panel with the values available for its scope. A new budget has the currency of the others, or else of the costs. */
function WithFields({
  others,
  ...props
}: Omit<Parameters<typeof BudgetPanel>[0], 'fields' | 'currency'> & { others: string | null }) {
  const last = useExtent().data?.days?.to ?? '2000-01-01';
  const { fields, currency } = useScopeFields(last, props.budget?.currency ?? others);
  return <BudgetPanel key={currency} {...props} currency={currency ?? ''} fields={fields} />;
}

function Legend({ isExpecting }: { isExpecting: boolean }) {
  return (
    <div className="legend budget-legend" aria-hidden="true">
      <span>
        <i className="key billed" />
        {words.legend.actual}
      </span>
      <span>
        <i className="key over" />
        {words.legend.over}
      </span>
      {isExpecting && (
        <span>
          <i className="key expected" />
          {words.legend.forecast}
        </span>
      )}
      <span>
        <i className="key tick" />
        {words.legend.thresholds}
      </span>
      <span>
        <i className="key limit" />
        {words.legend.budget}
      </span>
    </div>
  );
}

function matches(budget: Budget, text: string | undefined, names: ReadonlyMap<string, string>): boolean {
  const words = (text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const read = `${budget.name} ${scopeWords(budget, names)}`.toLowerCase();
  return words.every((word) => read.includes(word));
}

/** Drops unset values, so that addresses stay short. */
function tidy(search: Partial<Record<keyof BudgetsSearch, string | undefined>>): BudgetsSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''));
}
