import { mostTogether, requestTogether } from '@/api';
import type { ResultOf, VariablesOf } from '@/api';
import { plural } from '@/shared';
import { Assign, Dismiss, PutBack, Reopen, Resolve } from './queries';
import type { People } from './queries';
import type { Row } from './row';

export type Person = ResultOf<typeof People>['users'][number];

/** An action on recommendations. */
export type Act =
  | { kind: 'assign'; person: Person }
  | { kind: 'resolve' }
  | { kind: 'dismiss'; reason: string; until: string | null }
  | { kind: 'reopen' };

export type Kind = Act['kind'];

/** A changed recommendation with its new state. */
export interface RecommendationChange {
  row: Row;
  status: Status;
  /** The id of the owner. */
  owner: string | null;
}

type Fields = VariablesOf<typeof PutBack>['before'];
export type Status = VariablesOf<typeof PutBack>['status'];

/** Why a recommendation cannot be changed so; undefined when it can. */
export function whyNot(kind: Kind, row: Row): string | undefined {
  if (row.standing === 'gone') return 'Its resource no longer exists';
  const isOpen = row.standing === 'open';
  if (kind !== 'reopen') return isOpen ? undefined : 'Reopen it first';
  return isOpen && row.status === 'Open' ? 'It is open already' : undefined;
}

/** Carries it out for one recommendation. */
export async function perform(act: Act, row: Row): Promise<RecommendationChange> {
  const { id } = row;
  switch (act.kind) {
    case 'assign':
      await requestTogether(Assign, { id, person: act.person.id });
      return { row, status: 'Assigned', owner: act.person.id };
    case 'resolve':
      await requestTogether(Resolve, { id });
      return { row, status: 'Closed', owner: row.owner };
    case 'dismiss':
      await requestTogether(Dismiss, { id, reason: act.reason, until: act.until });
      return { row, status: 'Dismissed', owner: row.owner };
    case 'reopen':
      // A recommendation that is both open and dismissed is only un-dismissed; a change from Open to Open is not allowed.
      if (row.stored.status === 'Open')
        await putBack(id, 'Open', { is_dismissed: false, dismissed_reason: null, dismissed_until: null });
      else await requestTogether(Reopen, { id });
      return { row, status: 'Open', owner: null };
  }
}

/** Undoes a change: restores status, dismissal and owner. Fails if it was changed since. */
export async function undo({ row, status, owner }: RecommendationChange): Promise<void> {
  const { id, stored } = row;
  const before: Fields = {
    status: stored.status,
    is_dismissed: stored.is_dismissed,
    dismissed_reason: stored.dismissed_reason,
    dismissed_until: stored.dismissed_until,
  };
  if (row.owner === owner) {
    await putBack(id, status, before);
  } else if (row.owner === null) {
    await requestTogether(Reopen, { id });
    await putBack(id, 'Open', before);
  } else {
    // Only open recommendations can be assigned.
    await putBack(id, status, { status: 'Open', is_dismissed: false, dismissed_reason: null, dismissed_until: null });
    await requestTogether(Assign, { id, person: row.owner });
    await putBack(id, 'Assigned', before);
  }
}

/** Sets columns of a recommendation that still has the status it is expected to have. */
export async function putBack(id: string, status: Status, before: Fields): Promise<void> {
  const { update_recommendation: done } = await requestTogether(PutBack, { id, status, before });
  if (done?.affected_rows !== 1) throw new Error('Someone else changed it in the meantime');
}

/** Runs `work` for each item in batches of one request, and separates successes from failures. */
export async function each<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  onProgress: (done: number) => void = () => undefined,
): Promise<{ done: Result[]; failed: Error[] }> {
  const results: (Result | undefined)[] = [];
  const failed: Error[] = [];
  let next = 0;
  let finished = 0;
  const run = async () => {
    while (next < items.length) {
      const at = next++;
      try {
        results[at] = await work(items[at] as Item);
      } catch (error) {
        failed.push(error as Error);
      }
      onProgress(++finished);
    }
  };
  await Promise.all(Array.from({ length: mostTogether }, run));
  return { done: results.filter((result) => result !== undefined), failed };
}

const verbs: Record<Kind, { doing: string; done: string; infinitive: string }> = {
  assign: { doing: 'Assigning', done: 'Assigned', infinitive: 'assigned' },
  resolve: { doing: 'Resolving', done: 'Resolved', infinitive: 'resolved' },
  dismiss: { doing: 'Dismissing', done: 'Dismissed', infinitive: 'dismissed' },
  reopen: { doing: 'Reopening', done: 'Reopened', infinitive: 'reopened' },
};

/** "Resolved 3 recommendations", "Assigned Resize m4.xlarge to t3.xlarge to Ada". */
export function doneWords(act: Act, rows: readonly Row[]): string {
  const [first] = rows;
  const what = rows.length === 1 && first ? `“${first.title}”` : plural(rows.length, 'recommendation');
  return `${verbs[act.kind].done} ${what}${act.kind === 'assign' ? ` to ${act.person.display_name}` : ''}`;
}

/** "2 recommendations could not be resolved: …", with the reason of the first. */
export function failedWords(kind: Kind, failed: readonly Error[]): string {
  return `${plural(failed.length, 'recommendation')} could not be ${verbs[kind].infinitive}: ${failed[0]?.message ?? ''}`;
}

/** "Resolving 12 of 40". */
export function doingWords(kind: Kind, done: number, of: number): string {
  return of > 1 ? `${verbs[kind].doing} ${String(done)} of ${String(of)}` : verbs[kind].doing;
}
