import { Pause, Play, Power } from 'lucide-react';
import { Button } from '@/shared';

/** Run now, and pause or activate: at the end of a line. */
export function RowActions({
  name,
  isOn,
  runReason,
  turnReason,
  onRun,
  onTurn,
}: {
  name: string;
  isOn: boolean;
  /** Why it cannot be run; undefined when it can. */
  runReason: string | undefined;
  turnReason: string | undefined;
  onRun: () => void;
  onTurn: () => void;
}) {
  const verb = isOn ? 'Pause' : 'Activate';
  return (
    <span className="row">
      <Button
        size="small"
        kind="quiet"
        iconOnly
        aria-label={`Run ${name}`}
        title={runReason ?? 'Run now'}
        disabled={runReason !== undefined}
        onClick={(event) => {
          event.stopPropagation();
          onRun();
        }}
      >
        <Play className="i s" />
      </Button>
      <Button
        size="small"
        kind="quiet"
        iconOnly
        aria-label={`${verb} ${name}`}
        title={turnReason ?? verb}
        disabled={turnReason !== undefined}
        onClick={(event) => {
          event.stopPropagation();
          onTurn();
        }}
      >
        {isOn ? <Pause className="i s" /> : <Power className="i s" />}
      </Button>
    </span>
  );
}
