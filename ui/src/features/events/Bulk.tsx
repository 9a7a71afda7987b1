import { X } from 'lucide-react';
import { Button, count } from '@/shared';
import { ActButton } from './ActButtons';
import type { Kind } from './act';
import type { Row } from './row';
import type { Acts } from './useActs';
import type { WholeSelection } from './useSelection';
import { selection as words } from './words';

const kinds: readonly Kind[] = ['acknowledge', 'snooze', 'resolve', 'judge', 'close', 'reopen'];

/** So many are done before anybody could stop them. */
const few = 20;

/** Actions on the selected events, and the selection of the whole list. */
export function Bulk({
  chosen,
  total,
  whole,
  acts,
  onAct,
  onSelect,
}: {
  chosen: readonly Row[];
  /** Events in the list. */
  total: number;
  whole: WholeSelection;
  acts: Acts;
  onAct: (kind: Kind, rows: readonly Row[]) => void;
  onSelect: (selected: ReadonlySet<string>) => void;
}) {
  const isBusy = whole.busy !== false || acts.busy !== false;
  const isLong = whole.busy !== false || (acts.busy !== false && chosen.length > few);
  return (
    <>
      {chosen.length < total && !isBusy && (
        <Button
          size="small"
          kind="quiet"
          onClick={() => {
            whole.select(total);
          }}
        >
          {words.all(count(total))}
        </Button>
      )}
      <span className="row wrapping end">
        <span role="status" className="small muted num">
          {whole.busy || acts.busy || acts.reason}
        </span>
        {isLong && (
          <Button size="small" onClick={whole.busy === false ? acts.stop : whole.stop}>
            {words.stop}
          </Button>
        )}
        {kinds.map((kind) => (
          <ActButton key={kind} kind={kind} rows={chosen} acts={acts} onAct={onAct} />
        ))}
        <Button
          size="small"
          kind="quiet"
          iconOnly
          aria-label={words.clear}
          onClick={() => {
            onSelect(new Set());
          }}
        >
          <X className="i s" />
        </Button>
      </span>
    </>
  );
}
