import type { ResultOf, VariablesOf } from '@/api';
import type { Status } from './act';
import type { History, PutBack } from './queries';
import { statusName } from './row';

type HistoryRecord = NonNullable<NonNullable<ResultOf<typeof History>['audits_v2']>['rows']>[number];
type Fields = VariablesOf<typeof PutBack>['before'];

/** One change of a recommendation. */
export interface Entry {
  id: string;
  at: string;
  /** The user who did it. */
  by: string | null;
  /** "Dismissed: needed in December". */
  text: string;
  /** How to undo the change: by reopening, or by restoring columns. Null if the audit trail has too little information. */
  back: 'reopen' | Fields | null;
  /** The status it had since. */
  status: Status | null;
}

/** Columns of a recommendation as the trail has them: those that changed. */
interface State {
  status?: Status | null;
  is_dismissed?: boolean;
  dismissed_reason?: string | null;
}

const words: Partial<Record<string, string>> = {
  Assigned: 'Assigned',
  InProgress: 'Work started',
  Closed: 'Resolved',
  Open: 'Reopened',
  Archive: 'Its resource no longer exists',
};

/** The recorded changes of one recommendation, oldest first; the newest one can be undone. */
export function entriesOf(rows: readonly (HistoryRecord | null)[]): Entry[] {
  return rows.flatMap((row) => {
    const [before, after] = [stateOf(row?.event_prev_state), stateOf(row?.event_state)];
    if (!row || !before || !after) return [];
    const told = textOf(before, after, row.event_type);
    if (told === null) return [];
    return [
      {
        id: row.id ?? '',
        at: row.event_time ?? '',
        by: row.event_actor,
        text: told,
        back: backOf(before, row.event_type),
        status: after.status ?? null,
      },
    ];
  });
}

function textOf(before: State, after: State, operation: string | null): string | null {
  if (after.status === undefined && after.is_dismissed === undefined) return null;
  if (operation?.startsWith('update_')) return `Restored to ${statusName(after.status ?? 'Open').toLowerCase()}`;
  if (after.is_dismissed) return `Dismissed${after.dismissed_reason ? `: ${after.dismissed_reason}` : ''}`;
  if (after.status === before.status) return null;
  return words[after.status ?? ''] ?? `Changed to ${statusName(after.status ?? 'Open').toLowerCase()}`;
}

/** The trail does not record the previous owner: a change of owner can only be undone if there was none. */
function backOf(before: State, operation: string | null): Entry['back'] {
  if (operation === 'recommendation_assign') return before.status === 'Open' ? 'reopen' : null;
  const hadSomebody = before.status === 'Assigned' || before.status === 'InProgress';
  return operation === 'recommendation_reopen' && hadSomebody ? null : fieldsOf(before);
}

function fieldsOf({ status, is_dismissed, dismissed_reason }: State): Fields {
  return {
    ...(status === undefined ? {} : { status }),
    ...(is_dismissed === undefined ? {} : { is_dismissed }),
    ...(dismissed_reason === undefined ? {} : { dismissed_reason }),
  };
}

function stateOf(text: string | null | undefined): State | null {
  const value: unknown = JSON.parse(text ?? 'null');
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
}
