import { Archive, CircleCheck, Clock, Eye, RotateCcw, Tags } from 'lucide-react';
import { Button, Keys } from '@/shared';
import type { ButtonProps } from '@/shared/controls/Button';
import { whyNot } from './act';
import type { Kind } from './act';
import type { Row } from './row';
import type { Acts } from './useActs';
import { acts as words } from './words';

const icons = {
  acknowledge: Eye,
  snooze: Clock,
  resolve: CircleCheck,
  judge: Tags,
  close: Archive,
  reopen: RotateCcw,
} as const;

/** The key of each change; it works on the selected rows, else on the open one. */
export const keysOf: Record<Kind, string> = {
  acknowledge: 'a',
  snooze: 'z',
  resolve: 'e',
  judge: 'f',
  close: 'd',
  reopen: 'o',
};

/** Applies an action to the rows that allow it; disabled with the reason if none does. */
export function ActButton({
  kind,
  rows,
  acts,
  onAct,
  look,
  plain = false,
}: {
  kind: Kind;
  rows: readonly Row[];
  acts: Acts;
  onAct: (kind: Kind, rows: readonly Row[]) => void;
  look?: ButtonProps['kind'];
  /** Text only, where space is limited. */
  plain?: boolean;
}) {
  const Icon = icons[kind];
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
      {!plain && look !== 'quiet' && look !== 'primary' && <Icon className="i s" />}
      {words[kind].label} {!plain && <Keys keys={keysOf[kind]} />}
    </Button>
  );
}
