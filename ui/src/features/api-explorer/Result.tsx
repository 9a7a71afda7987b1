import { CircleCheck, Copy, Download, OctagonX, Play, TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { host } from '@/host';
import { Button, DataTable, Empty, Segmented, bytes, count, plural, toast } from '@/shared';
import type { Column } from '@/shared';
import type { Fault, ReadAnswer } from './answer';
import { Editor } from '@/shared/editor/Editor';
import { printExact } from './json';
import { tableOf } from './rows';
import type { Table } from './rows';

type View = 'both' | 'table' | 'json';
type Row = { index: string; cells: Table['rows'][number] };

/** The result of the last run: status, time, size, errors, rows, and the text with every digit. */
export function Result({
  answer,
  running,
  onGo,
}: {
  answer: ReadAnswer | undefined;
  running: boolean;
  onGo: (line: number, column: number) => void;
}) {
  const [view, setView] = useState<View>('both');
  const table = useMemo(() => tableOf(answer?.value), [answer]);
  const text = useMemo(() => (answer?.value ? printExact(answer.value) : (answer?.text ?? '')), [answer]);
  if (!answer) {
    return (
      <section className="col result" aria-label="Result" aria-busy={running}>
        <Empty icon={Play} title={running ? 'Running' : 'No result yet'}>
          {running ? 'The response will appear here.' : 'Press Ctrl Enter to run the query with your session.'}
        </Empty>
      </section>
    );
  }
  const withTable = table !== undefined && view !== 'json';
  return (
    <section className="col result" aria-label="Result" aria-busy={running}>
      <div className="result-head row" role="status">
        <Standing answer={answer} />
        <span className="muted num">{count(Math.round(answer.ms))} ms</span>
        <span className="muted num">{bytes(answer.bytes)}</span>
        {table && <span className="muted num">{plural(table.rows.length, 'row')}</span>}
        <span className="end row">
          {table && (
            <Segmented
              label="Show the result as"
              value={view}
              options={[
                { value: 'both', label: 'Both' },
                { value: 'table', label: 'Table' },
                { value: 'json', label: 'JSON' },
              ]}
              onChange={setView}
            />
          )}
          <Button
            size="small"
            kind="quiet"
            iconOnly
            aria-label="Copy response"
            title="Copy response"
            onClick={() => {
              void host.copy(text).then(() => {
                toast({ tone: 'ok', text: 'Copied the response' });
              });
            }}
          >
            <Copy className="i s" />
          </Button>
          <Button
            size="small"
            kind="quiet"
            iconOnly
            aria-label="Download response"
            title={`Download response, JSON, ${bytes(answer.bytes)}`}
            onClick={() => {
              void host.saveFile('response.json', answer.text, 'application/json');
            }}
          >
            <Download className="i s" />
          </Button>
        </span>
      </div>
      <Faults faults={answer.faults} onGo={onGo} />
      {withTable && <Rows table={table} />}
      {!(withTable && view === 'table') && text !== '' && (
        <div className="raw">
          <h2>Raw response</h2>
          <Editor label="Raw response" value={text} language="json" />
        </div>
      )}
    </section>
  );
}

function Standing({ answer }: { answer: ReadAnswer }) {
  const status = answer.status === 0 ? 'No response' : String(answer.status);
  if (answer.status !== 200) {
    return (
      <span className="st bad">
        <OctagonX className="i" />
        {status}
      </span>
    );
  }
  const { length } = answer.faults;
  return (
    <span className={length > 0 ? 'st warn' : 'st ok'}>
      {length > 0 ? <TriangleAlert className="i" /> : <CircleCheck className="i" />}
      {status}
      {length > 0 && `, ${plural(length, 'error')}`}
    </span>
  );
}

/** Each error with its place; pressing the place leads to it in the query. */
function Faults({ faults, onGo }: { faults: readonly Fault[]; onGo: (line: number, column: number) => void }) {
  if (faults.length === 0) return null;
  return (
    <ul className="faults" role="alert">
      {faults.map(({ message, path, code, line, column }, i) => (
        <li key={i}>
          <OctagonX className="i" />
          <div>
            <p>{message}</p>
            <p className="small muted row wrap">
              {line !== undefined && column !== undefined && (
                <button
                  type="button"
                  className="bare type-link"
                  onClick={() => {
                    onGo(line, column);
                  }}
                >
                  Line {line}, column {column}
                </button>
              )}
              {path && <code>{path}</code>}
              {code && <code>{code}</code>}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Rows({ table }: { table: Table }) {
  const columns = useMemo<Column<Row>[]>(
    () =>
      table.columns.map(({ name, title, isNumber }, i) => ({
        id: name,
        header: title,
        kind: isNumber ? 'number' : 'text',
        value: ({ cells }) => cells[name],
        // The text as received: grouped and rounded figures are for other pages.
        cell: ({ cells }) => {
          const value = cells[name] ?? null;
          return value === null ? (
            <span className="faint">–</span>
          ) : (
            <span className={isNumber ? 'num' : 'cut'} title={value}>
              {value}
            </span>
          );
        },
        // The first column takes the remaining width.
        ...(i === 0 ? {} : { width: widthOf(table, name, title) }),
      })),
    [table],
  );
  const rows = useMemo<Row[]>(() => table.rows.map((cells, i) => ({ index: String(i), cells })), [table]);
  return (
    <div className="rows">
      <DataTable
        label="Rows of the result"
        columns={columns}
        rows={rows}
        rowId={({ index }) => index}
        rowHeight={30}
        primary
        fill
        empty={<p className="muted none">No rows.</p>}
      />
    </div>
  );
}

/** In px, after the longest of the first values; a very long one is cut. */
function widthOf(table: Table, name: string, title: string): number {
  const lengths = table.rows.slice(0, 50).map((row) => row[name]?.length ?? 1);
  return Math.round(Math.min(Math.max(title.length, ...lengths), 34) * 7.6) + 36;
}
