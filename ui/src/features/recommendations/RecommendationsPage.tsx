import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import { Suspense, lazy, useMemo, useState } from 'react';
import { useGraphQL, useSavedViews } from '@/api';
import {
  Button,
  Content,
  Filters,
  Page,
  SearchBox,
  Select,
  Segmented,
  ViewsMenu,
  compareNames,
  count,
  sortFromText,
  sortToText,
  useCommands,
  useNow,
} from '@/shared';
import type { FilterField } from '@/shared';
import { keysOf, labelOf } from './ActButtons';
import { whyNot } from './act';
import type { Act, Kind } from './act';
import { AssignDialog } from './AssignDialog';
import { pilotFor } from './automate';
import { ordered } from './columns';
import { DismissDialog } from './DismissDialog';
import { ExportButton } from './ExportButton';
import { Groups } from './Groups';
import { List } from './List';
import { NoRecommendations } from './NoRecommendations';
import { Recommendations } from './queries';
import { fieldNames, fields, filtered, filtersOf, filtersToSearch, isIn, rowOf } from './row';
import type { Row } from './row';
import { recommendationsSearch } from './search';
import type { RecommendationsSearch } from './search';
import { useActs } from './useActs';
import { useOwners } from './useOwners';
import './recommendations.css';

const route = getRouteApi('/recommendations');
// Loaded after the list, which most visitors need first.
const Detail = lazy(() => import('./Detail').then((found) => ({ default: found.Detail })));

/** Savings that can be had, with their evidence. */
export function RecommendationsPage() {
  const now = useNow();
  const query = useGraphQL(Recommendations, {});
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const saved = useSavedViews('recommendations');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const owners = useOwners();
  const all = useMemo(
    () => query.data?.recommendation.map((stored) => rowOf(stored, owners.get(stored.id))),
    [query.data, owners],
  );
  const sort = useMemo(() => sortFromText(search.sort ?? '-savings'), [search.sort]);
  // In the order of the list, so that next and previous of an open row follow the list.
  const rows = useMemo(() => ordered(filtered(all ?? [], search), sort, now), [all, search, sort, now]);
  const [asked, setAsked] = useState<{ kind: 'assign' | 'dismiss'; rows: readonly Row[] } | null>(null);
  const acts = useActs((done) => {
    setSelected((before) => new Set([...before].filter((id) => !done.some((row) => row.id === id))));
  });
  const begin = (kind: Kind, of: readonly Row[]) => {
    const able = of.filter((row) => whyNot(kind, row) === undefined);
    if (acts.reason !== undefined || able.length === 0) return;
    if (kind === 'assign' || kind === 'dismiss') setAsked({ kind, rows: able });
    else void acts.run({ kind }, able);
  };
  const go = (change: Partial<Record<keyof RecommendationsSearch, string | undefined>>, replace = true) => {
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined && value !== ''),
        ) as RecommendationsSearch,
      replace,
    });
  };
  const at = rows.findIndex((row) => row.id === search.id);
  const open = all?.find((row) => row.id === search.id);
  const chosen = rows.filter((row) => selected.has(row.id));
  const targets = chosen.length > 0 ? chosen : open ? [open] : [];
  useCommands(
    (Object.keys(keysOf) as Kind[]).flatMap((kind) => {
      const reason = acts.reason;
      return targets.some((row) => whyNot(kind, row) === undefined)
        ? [
            {
              id: `recommendation ${kind}`,
              title: commandOf(kind, targets.length),
              group: 'Do' as const,
              keys: keysOf[kind],
              disabled: reason,
              run: () => {
                begin(kind, targets);
              },
            },
          ]
        : [];
    }),
  );
  const step = (by: number) => {
    const next = rows[at + by];
    return at >= 0 && next
      ? () => {
          go({ id: next.id });
        }
      : undefined;
  };
  const inView = (show: RecommendationsSearch['show']) => count((all ?? []).filter((row) => isIn(row, show)).length);
  const filled = all !== undefined && all.length > 0;
  return (
    <Page
      title="Recommendations"
      flush
      actions={
        filled && (
          <>
            <ViewsMenu
              saved={saved}
              search={search}
              passing={['id']}
              holds="Filters, grouping, search and sorting"
              example="My team, largest first"
              onOpen={(found) => {
                void navigate({ search: recommendationsSearch(found), replace: true });
              }}
            />
            <ExportButton rows={rows} />
            <Automate rows={rows} whyNot={acts.reason} />
          </>
        )
      }
      filters={
        filled && (
          <>
            <Segmented
              label="Which recommendations"
              value={search.show ?? 'open'}
              options={[
                { value: 'open', label: 'Open', count: inView(undefined) },
                { value: 'done', label: 'Done', count: inView('done') },
                { value: 'dismissed', label: 'Dismissed', count: inView('dismissed') },
              ]}
              onChange={(show) => {
                go({ show: show === 'open' ? undefined : show, id: undefined });
              }}
            />
            <Filters
              fields={fieldNames.map((name) => filterField(name, all, search.show))}
              value={filtersOf(search)}
              onChange={(filters) => {
                const none = Object.fromEntries(fieldNames.map((name) => [name, undefined]));
                go({ ...none, ...filtersToSearch(filters) });
              }}
            />
            <Select
              label="Group by"
              value={search.group ?? 'none'}
              options={[
                { value: 'none', label: 'None' },
                { value: 'change', label: 'Change' },
                { value: 'owner', label: 'Owner' },
              ]}
              onChange={(group) => {
                go({ group: group === 'none' ? undefined : group, id: undefined });
              }}
            />
            <span className="end-bar">
              <SearchBox
                label="Filter recommendations"
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
          <Suspense fallback={null}>
            <Detail
              key={open.id}
              row={open}
              acts={acts}
              onAct={begin}
              onClose={() => {
                go({ id: undefined });
              }}
              onPrevious={step(-1)}
              onNext={step(1)}
            />
          </Suspense>
        )
      }
    >
      <section className="recs" aria-label="Recommendations">
        <Content of={{ ...query, data: all }} what="Recommendations could not be read" lines={8}>
          {() =>
            filled && search.group ? (
              <Groups
                by={search.group}
                rows={rows}
                onOpen={(field, value) => {
                  go({ group: undefined, [field]: value }, false);
                }}
              />
            ) : filled ? (
              <List
                rows={rows}
                narrowed={filtersOf(search).length > 0 || Boolean(search.q)}
                show={search.show}
                openId={open?.id ?? null}
                onOpen={(row) => {
                  go({ id: row.id }, Boolean(search.id));
                }}
                sort={sort}
                onSort={(next) => {
                  go({ sort: sortToText(next) === '-savings' ? undefined : sortToText(next) });
                }}
                selected={selected}
                onSelect={setSelected}
                acts={acts}
                onAct={begin}
                onClear={() => {
                  go({ q: undefined, ...Object.fromEntries(fieldNames.map((name) => [name, undefined])) });
                }}
              />
            ) : (
              <NoRecommendations />
            )
          }
        </Content>
      </section>
      {asked && (
        <Question
          {...asked}
          onAct={(act) => {
            void acts.run(act, asked.rows);
          }}
          onClose={() => {
            setAsked(null);
          }}
        />
      )}
    </Page>
  );
}

/** Starts an auto-pilot for the listed recommendations. */
function Automate({ rows, whyNot }: { rows: readonly Row[]; whyNot: string | undefined }) {
  const navigate = useNavigate();
  const start = pilotFor(rows);
  return (
    <Button
      reason={
        whyNot ??
        (start
          ? undefined
          : 'Auto-pilots apply open right-sizing recommendations of known resources; none of these is one')
      }
      onClick={() => {
        if (start) void navigate({ to: '/automation/autopilot', search: start });
      }}
    >
      <Workflow className="i" />
      Automate these
    </Button>
  );
}

/** The dialog of an action. */
function Question({
  kind,
  ...rest
}: {
  kind: 'assign' | 'dismiss';
  rows: readonly Row[];
  onAct: (act: Act) => void;
  onClose: () => void;
}) {
  return kind === 'assign' ? <AssignDialog {...rest} /> : <DismissDialog {...rest} />;
}

function commandOf(kind: Kind, count: number): string {
  const what = count === 1 ? 'this recommendation' : `${String(count)} recommendations`;
  return `${labelOf(kind).replace('…', '')} ${what}`;
}

/** The values a field has among the rows of a view, with how many rows have each. */
function filterField(
  name: (typeof fieldNames)[number],
  rows: readonly Row[],
  show: RecommendationsSearch['show'],
): FilterField {
  const { label, value, name: words } = fields[name];
  const found = new Map<string, { label: string; rows: number }>();
  for (const row of rows) {
    if (!isIn(row, show)) continue;
    const entry = found.get(value(row)) ?? { label: words(row), rows: 0 };
    found.set(value(row), { ...entry, rows: entry.rows + 1 });
  }
  const values = [...found]
    .map(([of, entry]) => ({ value: of, label: entry.label, hint: count(entry.rows) }))
    .sort((a, b) => compareNames(a.label, b.label));
  return { id: name, label, useValues: () => ({ values, error: null }) };
}
