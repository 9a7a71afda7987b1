import { CircleCheck, CircleSlash, RotateCcw, UserPlus } from 'lucide-react';
import { Button, Keys } from '@/shared';
import type { ButtonProps } from '@/shared/controls/Button';
import { whyNot } from './act';
import type { Kind } from './act';
import type { Row } from './row';
import type { Acts } from './useActs';

const looks = {
  resolve: { label: 'Resolve', Icon: CircleCheck },
  assign: { label: 'Assign', Icon: UserPlus },
  dismiss: { label: 'Dismiss…', Icon: CircleSlash },
  reopen: { label: 'Reopen', Icon: RotateCcw },
} as const;

/** The key of each change; it works on the selected rows, else on the open one. */
export const keysOf: Record<Kind, string> = { resolve: 'e', assign: 'a', dismiss: 'd', reopen: 'o' };

/** The words of each change. */
export function labelOf(kind: Kind): string {
  return looks[kind].label;
}

/** Applies an action to the rows that allow it; disabled with the reason if none does. */
export function ActButton({
  kind,
  rows,
  acts,
  onAct,
  look,
}: {
  kind: Kind;
  rows: readonly Row[];
  acts: Acts;
  onAct: (kind: Kind, rows: readonly Row[]) => void;
  look?: ButtonProps['kind'];
}) {
  const { label, Icon } = looks[kind];
  const reasons = rows.map((row) => whyNot(kind, row));
  const reason = acts.reason ?? (reasons.every((one) => one !== undefined) ? reasons[0] : undefined);
  return (
    <Button
      size="small"
      {...(look ? { kind: look } : {})}
      reason={reason}
      // A temporarily disabled button would lose the focus.
      aria-disabled={acts.busy === false ? undefined : true}
      onClick={() => {
        if (acts.busy === false) onAct(kind, rows);
      }}
    >
      {look !== 'quiet' && look !== 'primary' && <Icon className="i s" />}
      {label} <Keys keys={keysOf[kind]} />
    </Button>
  );
}
