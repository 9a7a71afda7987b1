import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import { Check } from '../controls/Check';
import { count, plural } from '../format/number';
import { Failure } from '../panel/states';
import { usePrinting } from '../printing';
import { useLater } from '../useLater';
import { useNarrow } from '../useNarrow';
import type { Column, Sort } from './column';
import { firstInView } from './firstInView';
import { Head } from './Head';
import { Line } from './Line';
import { rangeTo, sortAfterPress } from './lines';
import type { TableLine } from './lines';
import { RolledLines } from './RolledLines';
import { useLines } from './useLines';
import { useRowCommands } from './useRowCommands';

/** Above so many rows only those in view are drawn. */
const virtualAbove = 200;

/** Maximum number of printed rows: about fifty sheets. */
export const mostPrinted = 2_000;

/** Width of an A4 sheet between its margins, and minimum width of the first column, in CSS pixels. */
const paper = { width: 680, first: 240 };

const noRows: readonly never[] = [];

/** The loaded part of a longer list. */
export interface Paged {
  /** Identifies the list; a new value scrolls to the top. */
  of: string;
  /** Rows of the whole list. */
  total: number;
  /** The index of the first loaded row. */
  first: number;
  /** Called with the first and last index in view, including overscan. */
  onView: (first: number, last: number) => void;
}

export interface DataTableProps<Row> {
  /** Describes the rows: "Costs by service". */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while loading. */
  rows: readonly Row[] | undefined;
  /** For a list whose `rows` are a part only: the service sorts it and loads more as they scroll into view. */
  paged?: Paged;
  rowId: (row: Row) => string;
  error?: Error | null;
  retry?: () => unknown;
  /** Shown if there are no rows. */
  empty: ReactNode;
  /** Controlled sorting, for the address; without it the table manages its own, starting with `defaultSort`. */
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  defaultSort?: Sort;
  /** Opens a row (click, Enter, or moving with J K while a row is open). */
  onOpen?: (row: Row) => void;
  /** The row that is open next to the table. */
  openId?: string | null;
  selected?: ReadonlySet<string>;
  onSelect?: (selected: ReadonlySet<string>) => void;
  /** Rows that cannot be selected have no box, a sum of the rest for example; children never have one. */
  canSelect?: (row: Row) => boolean;
  /** The bar that replaces the head while rows are selected: sum and actions. */
  bulk?: (rows: Row[]) => ReactNode;
  /** Children of an expanded row; `undefined` while they load. A new function means new children (`useCallback`). */
  childrenOf?: (row: Row) => readonly Row[] | undefined;
  canExpand?: (row: Row) => boolean;
  expanded?: ReadonlySet<string>;
  onExpand?: (expanded: ReadonlySet<string>) => void;
  /** 34 px rows; 46 for two lines; 30 compact. */
  rowHeight?: 30 | 34 | 46;
  /** The table J, K, X and Enter work on; one per page. */
  primary?: boolean;
  /** Fills the available height and scrolls inside; otherwise it is as tall as its rows. */
  fill?: boolean;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rowId, selected, onSelect, openId, onOpen, expanded, onExpand, childrenOf, canExpand } = props;
  const { rowHeight = 34, canSelect, paged } = props;
  // A list keeps its length while no row in view is loaded; otherwise jumping far would return to the top.
  const rows = props.rows ?? (paged && paged.total > 0 ? noRows : undefined);
  const first = paged?.first ?? 0;
  const [ownSort, setOwnSort] = useState<Sort>(props.defaultSort ?? []);
  const sort = props.sort ?? ownSort;
  const setSort = props.onSort ?? setOwnSort;
  const [active, setActive] = useState<string | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  /** The row selected last: the start of a range. */
  const anchor = useRef<string | null>(null);

  const lines = useLines({ columns, rows, rowId, childrenOf, expanded, isSorted: paged !== undefined }, sort);
  const expands = (line: TableLine<Row>) => canExpand?.(line.row) ?? (childrenOf?.(line.row)?.length ?? 0) > 0;
  const total = paged && rows ? paged.total : lines.length;

  // Columns without room in a narrow window are shown below the first one. Tables that fill the page choose their columns themselves.
  const isNarrow = useNarrow();
  const stacked = isNarrow && !props.fill && !onSelect && !childrenOf;
  const role = (name: string) => (stacked ? { role: name } : {});

  const isPrinting = usePrinting();
  const virtual = (lines.length > virtualAbove || total > lines.length) && !isPrinting;
  // Rows that may be in view render with the page, the rest after it is painted.
  const isLater = useLater();
  const wanted = isPrinting ? Math.min(lines.length, mostPrinted) : lines.length;
  const drawn = isLater || isPrinting ? wanted : Math.ceil((0.4 * window.innerHeight) / rowHeight);
  const roll = useRef<((index: number) => void) | null>(null);

  const here = active ?? openId;
  const at = useMemo(() => (here ? lines.findIndex((line) => line.id === here) : -1), [lines, here]);
  const go = (step: number) => {
    const start = at < 0 ? firstInView(scroller.current, lines) : at + step;
    const place = Math.max(0, Math.min(lines.length - 1, start));
    const next = lines[place];
    if (!next) return;
    setActive(next.id);
    roll.current?.(first + place);
    // A focused control would handle the Enter that opens the row.
    scroller.current?.focus({ preventScroll: true });
    if (openId && onOpen) onOpen(next.row);
  };
  // Lines that stay in view do not re-render while scrolling, because their props do not change.
  const toggle = useCallback(
    (id: string) => {
      if (!selected || !onSelect) return;
      anchor.current = id;
      const next = new Set(selected);
      if (!next.delete(id)) next.add(id);
      onSelect(next);
    },
    [selected, onSelect],
  );
  const fold = useCallback(
    (id: string, open: boolean) => {
      if (!onExpand) return;
      const next = new Set(expanded);
      if (open) next.add(id);
      else next.delete(id);
      onExpand(next);
    },
    [expanded, onExpand],
  );
  const openLine = useCallback(
    (line: TableLine<Row>) => {
      setActive(line.id);
      onOpen?.(line.row);
    },
    [onOpen],
  );
  const selectable = useMemo(
    () => (onSelect ? lines.filter((line) => line.depth === 0 && (canSelect?.(line.row) ?? true)) : []),
    [lines, onSelect, canSelect],
  );
  const current = lines[at];
  useRowCommands(props.primary && lines.length > 0, {
    go,
    open: onOpen && (() => current && onOpen(current.row)),
    select:
      onSelect &&
      (() => {
        if (current?.depth === 0 && (canSelect?.(current.row) ?? true)) toggle(current.id);
      }),
    selectRange:
      onSelect &&
      (() => {
        const ids = rangeTo(selectable, anchor.current, current?.id).map(({ id }) => id);
        onSelect(new Set([...(selected ?? []), ...ids]));
      }),
    expand:
      onExpand &&
      ((isOpen) => {
        if (current && (!isOpen || expands(current))) fold(current.id, isOpen);
      }),
  });
  const of = paged?.of;
  useEffect(() => {
    if (of !== undefined && scroller.current) scroller.current.scrollTop = 0;
  }, [of]);
  useEffect(() => {
    if (!active) return;
    const lines = scroller.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [];
    [...lines].find((line) => line.dataset['row'] === active)?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const chosen = useMemo(
    () => (selected ? selectable.filter((line) => selected.has(line.id)) : []),
    [selectable, selected],
  );

  if (props.error && !props.rows)
    return (
      <Failure
        what={`${props.label} could not be read`}
        error={props.error}
        {...(props.retry ? { retry: props.retry } : {})}
      />
    );
  const width = columns.length + (onSelect ? 1 : 0);
  // What the columns of a fixed width take; the rest keeps a width to be read at, and the table scrolls sideways.
  const fixedWidth = columns.reduce((sum, column) => sum + (column.width ?? 0), onSelect ? 42 : 0);
  // A sheet does not scroll: columns that are wider than it take their share of it.
  const isTooWide = isPrinting && fixedWidth + paper.first > paper.width;
  // Columns that may be narrower are so before names have less than they want, each by its share of what is missing.
  const spare = columns.reduce((sum, column) => sum + spareOf(column), 0);
  const widthOf = (column: Column<Row>, width: number) => {
    if (isTooWide) return `${((100 * width) / (fixedWidth + paper.first)).toFixed(2)}%`;
    const own = spareOf(column);
    if (isPrinting || own === 0) return width;
    const share = (own / spare).toFixed(4);
    const missing = `(100cqw - var(--name-wanted, 240px) - ${String(fixedWidth)}px)`;
    return `clamp(${String(width - own)}px, ${String(width)}px + ${missing} * ${share}, ${String(width)}px)`;
  };
  const leastWidth = isPrinting ? fixedWidth : fixedWidth - spare;
  const stop = lines[at]?.id ?? lines[0]?.id;
  const all = selectable.length > 0 && chosen.length === selectable.length;
  // In a partly loaded list, rows that are not loaded stay selected.
  const many = paged ? (selected?.size ?? 0) : chosen.length;
  const draw = (line: TableLine<Row>, place: number) => (
    <Line
      key={line.id}
      line={line}
      columns={columns}
      index={place + 2}
      open={line.id === openId}
      active={line.id === active}
      isSelected={selected?.has(line.id) ?? null}
      selectable={line.depth === 0 && (canSelect?.(line.row) ?? true)}
      onToggle={toggle}
      expandable={Boolean(onExpand)}
      canExpand={Boolean(onExpand) && expands(line)}
      isExpanded={expanded?.has(line.id) ?? false}
      onFold={fold}
      stacked={stacked}
      isStop={line.id === stop}
      onMove={setActive}
      {...(onOpen ? { onOpen: openLine } : {})}
    />
  );
  return (
    // What is longer than it draws scrolls inside, at every width: as long as its rows, all of them would be in view.
    <div
      className={['tw', props.fill && 'fill', virtual && 'long'].filter(Boolean).join(' ')}
      ref={scroller}
      tabIndex={-1}
    >
      {many > 0 && props.bulk && (
        <div className="bulk" role="group" aria-label="Selected rows">
          <b>{count(many)}</b> selected {props.bulk(chosen.map((line) => line.row))}
        </div>
      )}
      <table
        className={tableClass(rowHeight, Boolean(onSelect), isLater, stacked)}
        {...role('table')}
        style={{ '--widths': `${String(leastWidth)}px` } as CSSProperties}
        aria-label={props.label}
        aria-rowcount={total + 1}
        aria-busy={props.rows === undefined}
      >
        <colgroup>
          {onSelect && <col className="w-check" />}
          {columns.map((column) => (
            <col key={column.id} {...(column.width ? { style: { width: widthOf(column, column.width) } } : {})} />
          ))}
        </colgroup>
        <thead {...role('rowgroup')}>
          <tr {...role('row')}>
            {onSelect && (
              <th>
                <Check
                  label="Select all rows"
                  hideLabel
                  checked={all || (many > 0 && 'some')}
                  onChange={() => {
                    const ids = selectable.map((line) => line.id);
                    onSelect(all ? new Set() : new Set([...(paged ? (selected ?? []) : []), ...ids]));
                  }}
                />
              </th>
            )}
            {columns.map((column) => (
              <Head
                key={column.id}
                column={column}
                sort={sort}
                stacked={stacked}
                onPress={(adds) => {
                  setSort(sortAfterPress(column, sort, adds && !paged));
                }}
              />
            ))}
          </tr>
        </thead>
        <tbody {...role('rowgroup')}>
          {rows === undefined && <Skeleton columns={width} />}
          {rows && total === 0 && (
            <tr {...role('row')}>
              <td colSpan={width} className="whole" {...role('cell')}>
                {props.empty}
              </td>
            </tr>
          )}
          {virtual ? (
            <RolledLines
              lines={lines}
              first={first}
              total={total}
              onView={paged?.onView}
              draw={draw}
              blank={(place) => <Blank key={place} columns={width} />}
              rowHeight={rowHeight}
              scroller={scroller}
              roll={roll}
            />
          ) : (
            lines.slice(0, drawn).map((line, index) => draw(line, first + index))
          )}
          {isPrinting && wanted < total && (
            <tr>
              <td colSpan={width} className="whole">
                {paged
                  ? `Rows ${count(first + 1)} to ${count(first + wanted)} of ${plural(total, 'row')}. Filter the list to print others.`
                  : `The first ${count(wanted)} of ${plural(total, 'row')}. An export has all of them.`}
              </td>
            </tr>
          )}
        </tbody>
        {rows !== undefined && total > 0 && columns.some((column) => column.total !== undefined) && (
          <tfoot {...role('rowgroup')}>
            <tr {...role('row')}>
              {onSelect && <td />}
              {columns.map((column) => (
                <td key={column.id} className={column.kind === 'number' ? 'n' : ''} {...role('cell')}>
                  {column.total}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

/** How much a column may shrink, in px. */
function spareOf<Row>({ width, least }: Column<Row>): number {
  return width !== undefined && least !== undefined ? Math.max(0, width - least) : 0;
}

function tableClass(rowHeight: 30 | 34 | 46, selects: boolean, stays: boolean, stacked: boolean): string {
  return [
    'tbl',
    stacked ? 'stacked' : 'fix',
    rowHeight === 46 && 'two',
    rowHeight === 30 && 'compact',
    selects && 'checks',
    stays && !stacked && 'stays',
  ]
    .filter(Boolean)
    .join(' ');
}

/** A row that is being read. */
function Blank({ columns }: { columns: number }) {
  return (
    <tr aria-hidden="true" className="blank">
      {Array.from({ length: columns }, (_, i) => (
        <td key={i}>
          <span className="skel late" style={{ width: '60%' }} />
        </td>
      ))}
    </tr>
  );
}

function Skeleton({ columns }: { columns: number }) {
  return [68, 82, 54, 74].map((width) => (
    <tr key={width} aria-hidden="true">
      {Array.from({ length: columns }, (_, i) => (
        <td key={i}>
          <span className="skel late" style={{ width: `${String(width)}%` }} />
        </td>
      ))}
    </tr>
  ));
}
