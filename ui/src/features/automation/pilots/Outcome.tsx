import { FlaskConical } from 'lucide-react';
import { Status } from '@/shared';
import { outcome } from './pilot';

/** What became of a recommendation, a run or a step: icon and word. */
export function Outcome({ of, status }: { of: 'task' | 'run'; status: string }) {
  const { name, tone } = outcome(status, of);
  return status === 'Dryrun' ? <Tried>{name}</Tried> : <Status tone={tone}>{name}</Status>;
}

/** What is only tried. */
export function Tried({ children }: { children: string }) {
  return (
    <span className="st info">
      <FlaskConical className="i" />
      {children}
    </span>
  );
}
