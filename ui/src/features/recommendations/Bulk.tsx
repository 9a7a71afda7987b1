import { X } from 'lucide-react';
import { Button, estimate } from '@/shared';
import { ActButton } from './ActButtons';
import type { Kind } from './act';
import { savingsOf } from './row';
import type { Row } from './row';
import type { Acts } from './useActs';

/** Total saving of the selected rows, and bulk actions. */
export function Bulk({
  rows,
  acts,
  onAct,
  onClear,
}: {
  rows: readonly Row[];
  acts: Acts;
  onAct: (kind: Kind, rows: readonly Row[]) => void;
  onClear: () => void;
}) {
  const savings = savingsOf(rows);
  const isOpen = rows.some((row) => row.standing === 'open');
  const kinds: readonly Kind[] = isOpen ? ['resolve', 'assign', 'dismiss'] : ['reopen'];
  return (
    <>
      {savings.length > 0 && (
        <span className="num">
          {savings
            .map(([currency, amount]) => estimate(amount, currency || null, { several: savings.length > 1 }))
            .join(', ')}{' '}
          per month
        </span>
      )}
      <span className="row wrapping end">
        <span role="status" className="small muted">
          {acts.busy || acts.reason}
        </span>
        {kinds.map((kind) => (
          <ActButton key={kind} {...{ kind, rows, acts, onAct }} />
        ))}
        <Button size="small" kind="quiet" iconOnly aria-label="Clear selection" onClick={onClear}>
          <X className="i s" />
        </Button>
      </span>
    </>
  );
}
