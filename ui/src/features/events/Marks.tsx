import {
  Archive,
  BellOff,
  Circle,
  CircleCheck,
  CircleDashed,
  Clock,
  Copy,
  Eye,
  Search,
  Siren,
  TriangleAlert,
} from 'lucide-react';
import { useNow } from '@/shared';
import { triageWords } from './row';
import type { Row, State, Triage } from './row';
import { states, triage } from './words';

const stateIcons = { FIRING: Siren, RESOLVED: CircleCheck, CLOSED: Archive } as const;

/** The state reported by the source, as icon and word. */
export function StateMark({ state, look = 'st' }: { state: State; look?: 'st' | 'badge' }) {
  const Icon = stateIcons[state];
  return (
    <span className={`${look} ${states[state].tone}`}>
      <Icon className="i" />
      {states[state].name}
    </span>
  );
}

const triageIcons = {
  OPEN: Circle,
  ACKNOWLEDGED: Eye,
  INVESTIGATING: Search,
  ACTION_REQUIRED: TriangleAlert,
  SNOOZED: Clock,
  SUPPRESSED: BellOff,
  DROPPED: CircleDashed,
  DUPLICATE: Copy,
  RESOLVED: CircleCheck,
} as const satisfies Record<Triage, unknown>;

/** The triage status, as icon and word. */
export function TriageMark({ row }: { row: Pick<Row, 'triage'> & { stored: Pick<Row['stored'], 'snoozed_until'> } }) {
  const Icon = triageIcons[row.triage];
  const now = useNow();
  return (
    <span className={`st ${triage[row.triage].tone}`}>
      <Icon className="i" />
      {triageWords(row, now)}
    </span>
  );
}
