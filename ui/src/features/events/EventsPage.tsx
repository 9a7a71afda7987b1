import { useQueryClient } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import { ListChecks } from 'lucide-react';
import { Suspense, lazy, useMemo, useState } from 'react';
import { readAll, useGraphQL, useLive, usePaged, useSavedViews } from '@/api';
import { host } from '@/host';
import type { ResultOf } from '@/api';
import {
  Content,
  ExportButton,
  Filters,
  Page,
  SearchBox,
  Segmented,
  Select,
  ViewsMenu,
  count,
  mostPrinted,
  useCommands,
  useNow,
} from '@/shared';
import type { Column } from '@/shared';
import { keysOf } from './ActButtons';
import { whyNot } from './act';
import type { Kind } from './act';
import { columnsFor } from './columns';
import type { Names } from './columns';
import { usePeople } from './usePeople';
import { useFilterFields } from './fields';
import { List, NoEvents } from './List';
import { AnyEvent, EventChanges, EventCounts, EventPage } from './queries';
import { readAgain } from './readAgain';
import { rowOf } from './row';
import type { Row } from './row';
import { eventsSearch, tidy } from './search';
import type { EventsSearch, Period, View } from './search';
import { useActs } from './useActs';
import { useSelection } from './useSelection';
import { inView, orderOf, whereOf } from './where';
import { acts as actWords, periods, views } from './words';
import './events.css';

const route = getRouteApi('/events');
const rowsOf = ({ events }: ResultOf<typeof EventPage>) => events.map(rowOf);
// Loaded after the list, which most visitors need first.
const Detail = lazy(() => import('./Detail').then((found) => ({ default: found.Detail })));
// Dialogs are loaded on first use.
const questions = () => import('./Questions');
const asking = {
  snooze: lazy(() => questions().then((found) => ({ default: found.SnoozeDialog }))),
  resolve: lazy(() => questions().then((found) => ({ default: found.ResolveDialog }))),
  judge: lazy(() => import('./Judge').then((found) => ({ default: found.JudgeDialog }))),
} as const;

/** The events page: list, detail and triage. */
export function EventsPage() {
  const now = useNow();
  const people = usePeople();
  const client = useQueryClient();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const saved = useSavedViews('events');
  const any = useGraphQL(AnyEvent, {});
  const isFilled = (any.data?.events.length ?? 0) > 0;
  const fields = useFilterFields(isFilled);
  useLive(EventChanges, () => {
    readAgain(client);
  });

  const of = JSON.stringify([whereOf(search, now), search.show, search.sort]);
  // The text says what it is made of: it stays the same list while the clock goes on.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const where = useMemo(() => whereOf(search, now), [of]);
  const counts = useGraphQL(
    EventCounts,
    {
      all: where,
      firing: inView(where, 'firing'),
      resolved: inView(where, 'resolved'),
      closed: inView(where, 'closed'),
    },
    { enabled: isFilled },
  );
  const many = (view: View | undefined) => counts.data?.[view ?? 'all'].aggregate?.count;
  const total = counts.isPlaceholderData ? undefined : many(search.show);
  const page = (place: { limit: number; offset: number }) => ({
    where: inView(where, search.show),
    order: orderOf(search.sort),
    ...place,
  });
  const part = usePaged({
    document: EventPage,
    page: isFilled ? page : undefined,
    rowsOf,
    of,
    total,
    whole: mostPrinted,
  });

  const { selected, select, deselect, chosen, whole } = useSelection(part.rows, (onProgress) =>
    readAll({ document: EventPage, page, rowsOf, total: total ?? 0, onProgress }),
  );
  const acts = useActs(deselect);
  const [asked, setAsked] = useState<{ kind: keyof typeof asking; rows: readonly Row[] } | null>(null);
  const begin = (kind: Kind, rows: readonly Row[]) => {
    const able = rows.filter((row) => whyNot(kind, row) === undefined);
    if (acts.reason !== undefined || able.length === 0) return;
    if (kind === 'snooze' || kind === 'resolve' || kind === 'judge') setAsked({ kind, rows: able });
    else void acts.run({ kind }, able);
  };
  const go = (change: { [Key in keyof EventsSearch]?: EventsSearch[Key] | undefined }, replace = true) => {
    void navigate({ search: (before) => tidy({ ...before, ...change }), replace });
  };
  const at = part.rows?.findIndex(({ id }) => id === search.id) ?? -1;
  const open = part.rows?.[at];
  const targets = chosen.length > 0 ? chosen : open ? [open] : [];
  useCommands(
    (Object.keys(keysOf) as Kind[]).flatMap((kind) =>
      targets.some((row) => whyNot(kind, row) === undefined)
        ? [
            {
              id: `event ${kind}`,
              title: `${actWords[kind].label.replace('…', '')} ${targets.length === 1 ? 'this event' : `${String(targets.length)} events`}`,
              group: 'Do' as const,
              keys: keysOf[kind],
              disabled: acts.reason,
              run: () => {
                begin(kind, targets);
              },
            },
          ]
        : [],
    ),
  );
  const step = (by: number) => {
    const next = part.rows?.[at + by];
    return at >= 0 && next
      ? () => {
          go({ id: next.id });
        }
      : undefined;
  };
  const Question = asked && asking[asked.kind];
  return (
    <Page
      title="Events"
      flush
      actions={
        <>
          {isFilled && (
            <ViewsMenu
              saved={saved}
              search={search}
              passing={['id']}
              holds="Filters, search and sorting"
              example="High, without an owner"
              onOpen={(found) => {
                void navigate({ search: eventsSearch(found), replace: true });
              }}
            />
          )}
          {isFilled && (
            <ExportButton
              name="events"
              columns={exported(people, now)}
              total={total}
              rows={() => readAll({ document: EventPage, page, rowsOf, total: total ?? 0 })}
              save={(file, text, type) => host.saveFile(file, text, type)}
            />
          )}
          <Link to="/events/triage-rules" className="btn">
            <ListChecks className="i s" />
            Triage rules
          </Link>
        </>
      }
      filters={
        isFilled && (
          <>
            <Segmented
              label="Which events"
              value={search.show ?? 'all'}
              options={(['all', 'firing', 'resolved', 'closed'] as const).map((value) => ({
                value,
                label: views[value],
                ...(counts.data ? { count: count(many(value === 'all' ? undefined : value)) } : {}),
              }))}
              onChange={(show) => {
                go({ show: show === 'all' ? undefined : show, id: undefined });
              }}
            />
            <Select
              label="Started"
              hideLabel
              value={search.since ?? 'all'}
              options={Object.entries(periods).map(([value, label]) => ({ value, label }))}
              onChange={(since) => {
                go({ since: since === 'all' ? undefined : (since as Period) });
              }}
            />
            <Filters
              fields={fields}
              value={search.filters ?? []}
              onChange={(filters) => {
                go({ filters });
              }}
            />
            <span className="end-bar">
              <SearchBox
                label="Filter events"
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
          <Suspense fallback={null}>
            <Detail
              key={search.id}
              id={search.id}
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
      <section className="events" aria-label="Events">
        <Content of={any} what="Events could not be read" lines={8}>
          {() =>
            isFilled ? (
              <List
                part={part}
                of={of}
                total={total}
                narrowed={[search.q, search.filters, search.since, search.show].some((one) => one !== undefined)}
                openId={search.id ?? null}
                onOpen={(row) => {
                  go({ id: row.id }, search.id !== undefined);
                }}
                sort={search.sort}
                onSort={(sort) => {
                  go({ sort });
                }}
                selected={selected}
                onSelect={select}
                chosen={chosen}
                whole={whole}
                acts={acts}
                onAct={begin}
                onClear={() => {
                  go({ q: undefined, filters: undefined, since: undefined, show: undefined });
                }}
              />
            ) : (
              <NoEvents />
            )
          }
        </Content>
      </section>
      {asked && Question && (
        <Suspense fallback={null}>
          <Question
            rows={asked.rows}
            onAct={(act) => {
              void acts.run(act, asked.rows);
            }}
            onClose={() => {
              setAsked(null);
            }}
          />
        </Suspense>
      )}
    </Page>
  );
}

/** The columns of an export: those of the wide list without the count, which is loaded per page, plus identifiers. */
function exported(people: Names, now: Date): Column<Row>[] {
  return [
    ...columnsFor('wide', new Map(), people, now).filter(({ id }) => id !== 'count'),
    { id: 'subject', header: 'Subject', value: (row) => row.subject },
    { id: 'fingerprint', header: 'Fingerprint', value: (row) => row.stored.fingerprint },
    { id: 'ended', header: 'Ended', value: (row) => row.stored.ends_at },
    { id: 'id', header: 'Id', value: (row) => row.id },
  ];
}
