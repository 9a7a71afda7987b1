import { useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { listingRows, request, useGraphQL } from '@/api';
import { Button, dateTime, toast, useNow } from '@/shared';
import { putBack } from './act';
import { entriesOf } from './history';
import type { Entry } from './history';
import { History, Reopen } from './queries';
import { statusName } from './row';
import type { Row } from './row';
import type { Acts } from './useActs';

/** Its history, oldest first; the newest change can be undone. */
export function Activity({ row, acts }: { row: Row; acts: Acts }) {
  const now = useNow();
  const { stored, status } = row;
  const history = useGraphQL(History, { target: JSON.stringify({ id: row.id }) });
  const entries = history.data && entriesOf(listingRows(history.data.audits_v2));
  const changed = stored.updated_at !== stored.created_at;
  // Account roles may not read the audit trail: they see the current state.
  const isUntold = history.isError || entries?.length === 0;
  return (
    <ul className="trail">
      <Line at={dateTime(stored.created_at, now)} text="Found" />
      {entries?.map((entry, at) => (
        <Line
          key={entry.id}
          at={dateTime(entry.at, now)}
          text={withOwner(entry, at === entries.length - 1 ? row.ownerName : null)}
          by={entry.by}
        >
          {at === entries.length - 1 && <UndoButton entry={entry} row={row} reason={acts.reason} />}
        </Line>
      ))}
      {changed && isUntold && (
        <Line
          at={dateTime(stored.updated_at, now)}
          text={`Last changed; it is ${statusName(status).toLowerCase()} now`}
        />
      )}
      {isUntold && stored.dismissed_reason && <Line at="Dismissed" text={stored.dismissed_reason} />}
      {stored.note && <Line at="Note" text={stored.note} />}
    </ul>
  );
}

/** The trail records that it was assigned; the current owner is known. */
function withOwner(entry: Entry, owner: string | null): string {
  return entry.status === 'Assigned' && owner ? `Assigned to ${owner}` : entry.text;
}

function UndoButton({ entry, row, reason }: { entry: Entry; row: Row; reason: string | undefined }) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const { back, status } = entry;
  if (back === null || status === null || status !== row.stored.status) return null;
  const run = async () => {
    setBusy(true);
    try {
      if (back === 'reopen') await request(Reopen, { id: row.id });
      else await putBack(row.id, status, back);
      toast({ tone: 'ok', text: `Undone: ${entry.text}` });
    } catch (error) {
      toast({ tone: 'bad', text: (error as Error).message });
    }
    await client.invalidateQueries({ queryKey: ['graphql'] });
    setBusy(false);
  };
  return (
    <Button
      size="small"
      kind="quiet"
      aria-label={`Undo: ${entry.text}`}
      reason={reason}
      busy={isBusy && 'Undoing'}
      onClick={() => {
        void run();
      }}
    >
      <Undo2 className="i s" />
      Undo
    </Button>
  );
}

function Line({ at, text, by, children }: { at: string; text: string; by?: string | null; children?: ReactNode }) {
  return (
    <li className="row">
      <time className="muted small nowrap">{at}</time>
      <span className="grow">
        {text}
        {by && <span className="small muted">, {by}</span>}
      </span>
      {children}
    </li>
  );
}
