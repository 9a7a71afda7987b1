import { mostTogether, request, requestTogether } from '@/api';
import type { VariablesOf } from '@/api';
import { count, plural } from '@/shared';
import { Classify, PutEvent, RemoveRule, ResolveEvent, SetStatus } from './queries';
import type { Row, EventRecord } from './row';
import type { judgements, scopes } from './words';
import { acts } from './words';

/** An action on events. */
export type Act =
  | { kind: 'acknowledge' | 'close' | 'reopen' }
  | { kind: 'snooze'; until: string }
  | { kind: 'resolve'; reason: string }
  | {
      kind: 'judge';
      name: keyof typeof judgements;
      reason: string;
      text: string;
      scope: keyof typeof scopes;
      /** Of a duplicate: the event that stays. */
      of?: string;
    };

export type Kind = Act['kind'];
type Fields = VariablesOf<typeof PutEvent>['set'];

/** A changed event with the data to undo the change. */
export interface EventChange {
  row: Row;
  undo: () => Promise<void>;
}

/** Why an event cannot be changed so; undefined when it can. */
export function whyNot(kind: Kind, { triage, state }: Pick<Row, 'triage' | 'state'>): string | undefined {
  if (kind === 'reopen') return triage === 'OPEN' && state !== 'CLOSED' ? 'It is open already' : undefined;
  if (state === 'CLOSED') return kind === 'close' ? 'It is closed already' : 'Reopen it first';
  if (kind === 'acknowledge' && triage === 'ACKNOWLEDGED') return 'It is acknowledged already';
  if (kind === 'resolve' && triage === 'RESOLVED') return 'It is resolved already';
  return undefined;
}

/** The rows that it changes: the event that others are duplicates of stays as it is. */
export function changedBy(act: Act, rows: readonly Row[]): readonly Row[] {
  return act.kind === 'judge' ? rows.filter(({ id }) => id !== act.of) : rows;
}

/** The triage status as it was, the end of a snooze with it. */
async function putBack({ id, nb_status: status, snoozed_until: until }: EventRecord): Promise<void> {
  await requestTogether(SetStatus, { id, status: status ?? 'OPEN', until: status === 'SNOOZED' ? zoned(until) : null });
}

/** A time in the format of the service: times without a zone are UTC. */
function zoned(time: string | null): string | null {
  return time && `${time.replace(/Z$/, '')}Z`;
}

/** Sets columns; fails if the triage status was changed since it was read. */
async function put(id: string, status: string, set: Fields): Promise<void> {
  const { update_events: done } = await requestTogether(PutEvent, { id, status, set });
  if (done?.affected_rows !== 1) throw new Error('Someone else changed it in the meantime');
}

/** Carries it out for one event. */
export async function perform(act: Act, row: Row): Promise<EventChange> {
  const { id, stored } = row;
  const before = stored.nb_status ?? 'OPEN';
  switch (act.kind) {
    case 'acknowledge':
      await requestTogether(SetStatus, { id, status: 'ACKNOWLEDGED' });
      return { row, undo: () => putBack(stored) };
    case 'snooze':
      await requestTogether(SetStatus, { id, status: 'SNOOZED', until: act.until });
      return { row, undo: () => putBack(stored) };
    case 'resolve':
      await requestTogether(ResolveEvent, {
        object: { event_id: id, account_id: accountOf(stored), data: { reason: act.reason } },
      });
      return {
        row,
        undo: async () => {
          await put(id, 'RESOLVED', { status: stored.status, ends_at: stored.ends_at });
          await putBack(stored);
        },
      };
    case 'judge': {
      const { name: classification, reason, text, scope, of = null } = act;
      const { event_classify: told } = await request(Classify, {
        id,
        classification,
        reason,
        text: text || null,
        scope,
        of,
      });
      return {
        row,
        undo: async () => {
          const rule = told?.rule_id;
          if (rule) await request(RemoveRule, { account: accountOf(stored), rule });
          await putBack(stored);
        },
      };
    }
    case 'close':
      await put(id, before, { status: 'CLOSED' });
      return { row, undo: () => put(id, before, { status: stored.status }) };
    case 'reopen': {
      const wasClosed = row.state === 'CLOSED';
      if (wasClosed) await put(id, before, { status: stored.ends_at === null ? 'FIRING' : 'RESOLVED' });
      if (before !== 'OPEN') await requestTogether(SetStatus, { id, status: 'OPEN' });
      return {
        row,
        undo: async () => {
          if (before !== 'OPEN') await putBack(stored);
          if (wasClosed) await put(id, before, { status: 'CLOSED' });
        },
      };
    }
  }
}

function accountOf({ cloud_account: account }: EventRecord): string {
  if (account) return account.id;
  throw new Error('It belongs to no account');
}

/** Reports progress; for many items once per percent, because each report re-renders the page. */
export function progressOf(doing: string, all: number, show: (words: string) => void): (done: number) => void {
  const step = Math.max(1, Math.floor(all / 100));
  return (done) => {
    if (done % step === 0) show(all > 1 ? `${doing} ${count(done)} of ${count(all)}` : doing);
  };
}

/** Runs `work` for each item in batches of one request, and separates successes from failures. Items not started before a stop are in neither. */
export async function each<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  onProgress: (done: number) => void = () => undefined,
  isStopped: () => boolean = () => false,
): Promise<{ done: Result[]; failed: Error[] }> {
  const done: Result[] = [];
  const failed: Error[] = [];
  const waiting = [...items];
  const run = async () => {
    for (let item = waiting.shift(); item !== undefined && !isStopped(); item = waiting.shift()) {
      try {
        done.push(await work(item));
      } catch (error) {
        failed.push(error as Error);
      }
      onProgress(done.length + failed.length);
    }
  };
  await Promise.all(Array.from({ length: mostTogether }, run));
  return { done, failed };
}

/** "Resolved 3 events", "Snoozed “Node is not ready”". */
export function doneWords(kind: Kind, rows: readonly Row[]): string {
  const [first] = rows;
  return `${acts[kind].done} ${rows.length === 1 && first ? `“${first.stored.title}”` : plural(rows.length, 'event')}`;
}

/** "2 events could not be resolved: …", with the reason of the first. */
export function failedWords(kind: Kind, failed: readonly Error[]): string {
  return `${plural(failed.length, 'event')} could not be ${acts[kind].failed}: ${failed[0]?.message ?? ''}`;
}
