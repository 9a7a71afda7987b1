import { useNavigate } from '@tanstack/react-router';
import { FolderClock, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import type { ApiError, ImportReport, ImportState } from '@/api';
import {
  Button,
  DataTable,
  Empty,
  Panel,
  SearchBox,
  Status,
  count,
  dateTime,
  estimate,
  useNow,
  useNarrow,
  timeRoom,
} from '@/shared';
import type { Column } from '@/shared';
import type { EarlierImport } from './queries';
import { useReadOnly } from './readOnly';
import { amounts, isUndoable, standing } from './wording';

/** Finished imports, newest first; a row opens its report, and each import can be undone. */
export function Earlier({
  rows,
  total,
  error,
  retry,
  openId,
  name,
  onName,
  onMore,
  onUndo,
}: {
  rows: readonly EarlierImport[] | undefined;
  total: number;
  error: ApiError | null;
  retry: () => unknown;
  openId: string | undefined;
  /** The file name filter. */
  name: string;
  onName: (name: string) => void;
  onMore: () => void;
  onUndo: (id: string, name: string) => void;
}) {
  const navigate = useNavigate();
  const now = useNow();
  const narrow = useNarrow();
  const slim = narrow || openId !== undefined;
  const reason = useReadOnly();
  const columns = useMemo(
    () => (slim ? slimColumns(now) : [...allColumns(now, rows ?? []), undoColumn(reason, onUndo)]),
    [slim, now, rows, reason, onUndo],
  );
  return (
    <Panel
      title="Earlier"
      meta={total > 0 ? count(total) : undefined}
      actions={
        <>
          <SearchBox label="Search imports" value={name} onChange={onName} />
          {rows && rows.length < total && (
            <Button size="small" kind="quiet" onClick={onMore}>
              All {count(total)} imports
            </Button>
          )}
        </>
      }
    >
      <DataTable
        label="Earlier imports"
        columns={columns}
        rows={rows}
        rowId={(row) => row.id}
        error={error}
        retry={retry}
        openId={openId ?? null}
        onOpen={(row) => {
          void navigate({ to: '/imports', search: { open: row.id } });
        }}
        empty={
          name.trim() === '' ? (
            <Empty icon={FolderClock} title="No earlier imports">
              Imported files and their reports are listed here.
            </Empty>
          ) : (
            <Empty
              icon={SearchX}
              title="No imports match"
              action={
                <Button
                  size="small"
                  onClick={() => {
                    onName('');
                  }}
                >
                  Show all imports
                </Button>
              }
            >
              No imported file has “{name.trim()}” in its name.
            </Empty>
          )
        }
        {...(slim ? { rowHeight: 46 as const } : {})}
        primary
      />
    </Panel>
  );
}

/** Width for the longest of some words plus `beside`, in px. */
function roomFor(words: readonly string[], beside: number): number {
  return Math.round(Math.max(0, ...words.map(({ length }) => length)) * 6.4) + beside;
}

const byOf = (row: EarlierImport) => row.user?.display_name ?? 'Command line';

/** Columns with short words leave their space to file names. */
export function allColumns(now: Date, rows: readonly EarlierImport[]): Column<EarlierImport>[] {
  return [
    {
      id: 'when',
      header: 'When',
      value: (row) => row.created_at,
      cell: (row) => <span className="muted num">{dateTime(row.created_at, now)}</span>,
      ...timeRoom(
        rows.map((row) => row.created_at),
        now,
      ),
    },
    {
      id: 'file',
      header: 'File',
      value: (row) => row.file_name,
      cell: (row) => (
        <span className="mono cut" title={row.file_name}>
          {row.file_name}
        </span>
      ),
    },
    { ...stateColumn, width: Math.min(150, roomFor(['State', ...rows.map((row) => standingOf(row).word)], 52)) },
    {
      id: 'written',
      header: 'Imported',
      value: (row) => writtenThen(row),
      cell: (row) => count(writtenThen(row)),
      kind: 'number',
      width: 88,
      least: 84,
    },
    {
      id: 'skipped',
      header: 'Skipped',
      value: (row) => row.rows_skipped,
      cell: (row) => count(row.rows_skipped),
      kind: 'number',
      width: 80,
      least: 78,
    },
    {
      id: 'amount',
      header: 'Cost or saving',
      value: (row) => amountOf(row),
      kind: 'number',
      sortable: false,
      width: 124,
      least: 112,
    },
    {
      id: 'by',
      header: 'By',
      value: byOf,
      cell: (row) => (
        <span className="muted cut" title={byOf(row)}>
          {byOf(row)}
        </span>
      ),
      width: Math.min(146, roomFor(['By', ...rows.map(byOf)], 24)),
    },
  ];
}

function undoColumn(reason: string | undefined, onUndo: (id: string, name: string) => void): Column<EarlierImport> {
  return {
    id: 'undo',
    header: 'Actions',
    hideHeader: true,
    sortable: false,
    value: () => null,
    width: 88,
    cell: (row) =>
      isUndoable(row.state) && (
        <Button
          size="small"
          reason={reason}
          aria-label={`Undo ${row.file_name}`}
          onClick={() => {
            onUndo(row.id, row.file_name);
          }}
        >
          Undo…
        </Button>
      ),
  };
}

/** The columns next to an open report and on a phone: two lines, and the result. */
function slimColumns(now: Date): Column<EarlierImport>[] {
  return [
    {
      id: 'file',
      header: 'File',
      value: (row) => row.created_at,
      cell: (row) => (
        <>
          <span className="mono block cut">{row.file_name}</span>
          <span className="small muted num block cut">{dateTime(row.created_at, now)}</span>
        </>
      ),
    },
    stateColumn,
  ];
}

const stateColumn: Column<EarlierImport> = {
  id: 'state',
  header: 'State',
  value: (row) => row.state,
  cell: (row) => <Standing row={row} />,
  width: 218,
};

function Standing({ row }: { row: EarlierImport }) {
  const { tone, word } = standingOf(row);
  return (
    <span className="standing">
      <Status tone={tone}>{word}</Status>
    </span>
  );
}

function standingOf(row: EarlierImport): ReturnType<typeof standing> {
  // A later file took the place of every row of this one.
  if (row.rows_written === 0 && writtenThen(row) > 0 && isUndoable(row.state))
    return { tone: 'off', word: 'Superseded' };
  return standing(row.state as ImportState, Boolean(row.found));
}

/** Rows written by the import; later files may have replaced some. */
function writtenThen(row: EarlierImport): number {
  return typeof row.written_then === 'number' ? row.written_then : row.rows_written;
}

function amountOf(row: EarlierImport): string {
  // The totals of an unchanged file are those of the import before it; once is enough.
  if (row.state === 'unchanged' || row.state === 'undone' || row.state === 'nothing_read') return '–';
  const totals = (row.totals ?? []) as unknown as ImportReport['totals'];
  const savings = (row.savings ?? []) as unknown as ImportReport['savings'];
  if (totals.length > 0) return amounts(totals.map(({ currency, billed_cost }) => ({ currency, amount: billed_cost })));
  if (savings.length === 0) return '–';
  const each = amounts(
    savings.map(({ currency, estimated_monthly_savings: amount }) => ({ currency, amount })),
    2,
    (amount, currency, several) => estimate(amount, currency, { several }),
  );
  return `${each} per month`;
}
