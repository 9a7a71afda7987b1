import { Link } from '@tanstack/react-router';
import { Panel, Status, dateTimeZone, useNow } from '@/shared';
import { SideName } from './CompareTable';
import type { SideAnswer } from './line';
import { stands } from './side';
import type { Side } from './side';

/** One of the two instances: its state, and what to do if it has no figures. */
export function SideCard({ side, told }: { side: Side; told: readonly SideAnswer[] }) {
  const now = useNow();
  const { tone, word, copy, isSignedOut } = stands(told);
  return (
    <Panel label={side.name} padded>
      <div className="split">
        <span className="row strong">
          <SideName side={side} />
        </span>
        <Status tone={tone}>{word}</Status>
      </div>
      <p className="mono small muted wrap">{side.address}</p>
      {copy !== null && <p className="small">The figures are a copy of {dateTimeZone(copy, now)}.</p>}
      {isSignedOut && (
        <p className="small">
          Its figures are read with your rights there. Sign in under <Link to="/settings/instances">Instances</Link>.
        </p>
      )}
      {word === 'Not reachable' && copy === null && !isSignedOut && (
        <p className="small">No copy of these figures is kept on this computer.</p>
      )}
    </Panel>
  );
}
