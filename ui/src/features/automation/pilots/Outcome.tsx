import { FlaskConical } from 'lucide-react';
import { Status } from '@/shared';
import { outcome } from './pilot';

/** The state of a recommendation, run or step: icon and word. */
export function Outcome({ of, status }: { of: 'task' | 'run'; status: string }) {
  const { name, tone } = outcome(status, of);
  return status === 'Dryrun' ? <Tried>{name}</Tried> : <Status tone={tone}>{name}</Status>;
}

/** The mark of a dry run. */
export function Tried({ children }: { children: string }) {
  return (
    <span className="st info">
      <FlaskConical className="i" />
      {children}
    </span>
  );
}
