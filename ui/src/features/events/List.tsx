import { Link } from '@tanstack/react-router';
import { SearchX, Siren } from 'lucide-react';
import { useMemo } from 'react';
import { isFiringAside, listingRows, useFiringEvents, useGraphQL } from '@/api';
import type { Part } from '@/api';
import { Button, DataTable, Empty, Keys, Severity, count, sortFromText, sortToText, useNarrow, useNow } from '@/shared';
import { Bulk } from './Bulk';
import type { Kind } from './act';
import { columnsFor } from './columns';
import { useDuplicates } from './useDuplicates';
import { usePeople } from './usePeople';
import { FiringSums, SeriesCounts } from './queries';
import { severityOf } from './row';
import type { Row } from './row';
import type { Acts } from './useActs';
import type { WholeSelection } from './useSelection';
import { firingUnowned, usualSort } from './where';
import { asideHelp, empty, noMatch } from './words';

interface ListProps {
  part: Part<Row> & { onView: (first: number, last: number) => void };
  of: string;
  /** Events in this view; undefined until they are counted. */
  total: number | undefined;
  narrowed: boolean;
  openId: string | null;
  onOpen: (row: Row) => void;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  chosen: readonly Row[];
  whole: WholeSelection;
  acts: Acts;
  onAct: (kind: Kind, rows: readonly Row[]) => void;
  onClear: () => void;
}

/** The list of events with subject, start and state. */
export function List({ part, total, openId, ...props }: ListProps) {
  const narrow = useNarrow();
  const now = useNow();
  const series = useSeries(part.rows);
  const room = narrow ? 'narrow' : openId === null ? 'wide' : 'beside';
  const people = usePeople();
  const duplicates = useDuplicates(part.rows);
  const columns = useMemo(
    () => columnsFor(room, series, people, now, duplicates),
    [room, series, people, now, duplicates],
  );
  const sort = sortFromText(props.sort ?? usualSort).slice(0, 1);
  return (
    <>
      <Sums />
      <div className="list">
        <DataTable
          label="Events"
          columns={columns}
          rows={total === undefined ? undefined : part.rows}
          paged={{ of: props.of, total: total ?? 0, first: part.first, onView: part.onView }}
          rowId={(row) => row.id}
          error={part.error}
          retry={part.retry}
          rowHeight={46}
          primary
          fill
          openId={openId}
          onOpen={props.onOpen}
          sort={sort.filter(({ id }) => columns.some((column) => column.id === id))}
          onSort={(next) => {
            const text = sortToText(next);
            props.onSort(text === usualSort ? undefined : text);
          }}
          {...(narrow ? {} : { selected: props.selected, onSelect: props.onSelect })}
          bulk={() => <Bulk {...props} total={total ?? 0} />}
          empty={
            props.narrowed && (
              <Empty
                icon={SearchX}
                title={noMatch.title}
                action={<Button onClick={props.onClear}>{noMatch.action}</Button>}
              >
                {noMatch.text}
              </Empty>
            )
          }
        />
      </div>
    </>
  );
}

/** The occurrence counts of the events on a page. */
function useSeries(rows: readonly Row[] | undefined): ReadonlyMap<string, number> {
  const fingerprints = useMemo(
    () => [...new Set(rows?.flatMap(({ stored }) => stored.fingerprint ?? []))].sort(),
    [rows],
  );
  const found = useGraphQL(SeriesCounts, { fingerprints }, { enabled: fingerprints.length > 0 }).data;
  return useMemo(
    () =>
      new Map(
        listingRows(found?.event_groupings_v2).map(({ fingerprint, event_count: many }) => [
          fingerprint ?? '',
          Number(many ?? 0),
        ]),
      ),
    [found],
  );
}

/** Counts of firing events, independent of the list. */
function Sums() {
  const firing = useFiringEvents();
  const found = useGraphQL(FiringSums, { unowned: firingUnowned, aside: isFiringAside }).data;
  const unowned = found?.unowned.aggregate?.count ?? 0;
  const aside = found?.aside.aggregate?.count ?? 0;
  const bySeverity = ['HIGH', 'MEDIUM', 'LOW', 'INFO'].flatMap((priority) => {
    const many = firing?.byPriority.get(priority) ?? 0;
    return many > 0 ? [{ name: severityOf(priority), many }] : [];
  });
  return (
    <p className="sums num" role="status">
      {firing && (
        <span className={firing.count > 0 ? 'st bad' : 'st ok'}>
          <Siren className="i" />
          {count(firing.count)} firing
        </span>
      )}
      {bySeverity.map(({ name, many }) => (
        <span key={name} className="row hide-n">
          <Severity value={name} iconOnly /> {count(many)} {name.toLowerCase()}
        </span>
      ))}
      {unowned > 0 && (
        <span>
          <b>{count(unowned)}</b> without an owner
        </span>
      )}
      {aside > 0 && (
        <span className="muted" title={asideHelp}>
          {count(aside)} hidden by triage
        </span>
      )}
      <span className="end small row hide-n">
        <Keys keys="j" />
        <Keys keys="k" /> next, previous
      </span>
    </p>
  );
}

/** Empty state before the first event: the possible sources. */
export function NoEvents() {
  return (
    <Empty
      icon={Siren}
      title={empty.title}
      action={
        <>
          <Link to="/imports" className="btn pri">
            {empty.action}
          </Link>
          <Link to="/settings/webhooks" className="btn">
            {empty.webhooks}
          </Link>
        </>
      }
    >
      {empty.text}
    </Empty>
  );
}
