import { Trash2 } from 'lucide-react';
import { Button, bytes, count, dateTime, useNow } from '@/shared';
import { titleOf } from './operation';
import type { Draft, Library, Run, SavedQuery } from './library';

/** Saved queries, by name. */
export function SavedList({
  saved,
  onOpen,
  onRemove,
}: {
  saved: Library['saved'];
  onOpen: (saved: SavedQuery) => void;
  onRemove: (saved: SavedQuery) => void;
}) {
  if (saved.length === 0) {
    return <p className="muted none">Saved queries appear here. They are stored in this browser.</p>;
  }
  return (
    <ul className="kept" aria-label="Saved queries">
      {saved.map((one) => (
        <li key={one.id} className="row">
          <Line title={one.name} detail={firstLine(one)} draft={one} onOpen={onOpen} />
          <Button
            size="small"
            kind="quiet"
            iconOnly
            aria-label={`Delete ${one.name}`}
            onClick={() => {
              onRemove(one);
            }}
          >
            <Trash2 className="i s" />
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Executed queries, newest first. */
export function HistoryList({
  history,
  onOpen,
  onClear,
}: {
  history: Library['history'];
  onOpen: (run: Run) => void;
  onClear: () => void;
}) {
  const now = useNow();
  if (history.length === 0) {
    return <p className="muted none">The last 100 queries appear here. They are stored in this browser.</p>;
  }
  return (
    <>
      <ul className="kept" aria-label="History">
        {history.map((run) => (
          <li key={`${run.at} ${run.query}`}>
            <Line
              title={titleOf(run.query) ?? firstLine(run)}
              detail={`${dateTime(run.at, now)}, ${outcome(run)}`}
              draft={run}
              onOpen={onOpen}
            />
          </li>
        ))}
      </ul>
      <div className="none">
        <Button size="small" onClick={onClear}>
          Clear history
        </Button>
      </div>
    </>
  );
}

function Line<Of extends Draft>({
  title,
  detail,
  draft,
  onOpen,
}: {
  title: string;
  detail: string;
  draft: Of;
  onOpen: (draft: Of) => void;
}) {
  return (
    <button
      type="button"
      className="kept-line grow"
      title={draft.query}
      onClick={() => {
        onOpen(draft);
      }}
    >
      <span className="cut">{title}</span>
      <span className="small faint cut">{detail}</span>
    </button>
  );
}

function firstLine({ query }: Draft): string {
  return query.split('\n').find((line) => line.trim()) ?? 'Empty query';
}

function outcome({ status, errors, ms, bytes: size }: Run): string {
  if (status === 0) return 'no response';
  if (errors > 0) return `${count(errors)} ${errors === 1 ? 'error' : 'errors'}`;
  return status === 200 ? `${count(Math.round(ms))} ms, ${bytes(size)}` : `status ${String(status)}`;
}
