import { afterEach, expect, test, vi } from 'vitest';
import { mostTogether } from '@/api';
import { changedBy, doneWords, each, perform, progressOf, whyNot } from './act';
import type { Row } from './row';

const asked: { name: string; variables: Record<string, unknown> }[] = [];

/** Answers every request with one row changed, and keeps what was asked. */
function answer() {
  asked.length = 0;
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
    const { query, variables } = JSON.parse(body) as { query: string; variables: Record<string, unknown> };
    asked.push({ name: /(?:mutation|query) (\w+)/.exec(query)?.[1] ?? '', variables });
    return Promise.resolve(
      Response.json({ data: { update_events: { affected_rows: 1 }, event_classify: { rule_id: 'rule-1' } } }),
    );
  });
}
afterEach(() => {
  vi.unstubAllGlobals();
});

const row = {
  id: 'e1',
  state: 'FIRING',
  triage: 'SNOOZED',
  stored: {
    id: 'e1',
    title: 'Node is not ready',
    status: 'FIRING',
    nb_status: 'SNOOZED',
    snoozed_until: '2026-12-01T00:00:00',
    ends_at: null,
    cloud_account: { id: 'a1', account_name: 'plant-4' },
  },
} as unknown as Row;

test('a resolved event goes on as before when that is undone: state, end, triage and snooze', async () => {
  answer();
  const { undo } = await perform({ kind: 'resolve', reason: 'restarted' }, row);
  expect(asked[0]?.variables).toEqual({ object: { event_id: 'e1', account_id: 'a1', data: { reason: 'restarted' } } });
  await undo();
  expect(asked.slice(1)).toEqual([
    { name: 'EventPut', variables: { id: 'e1', status: 'RESOLVED', set: { status: 'FIRING', ends_at: null } } },
    { name: 'EventSetStatus', variables: { id: 'e1', status: 'SNOOZED', until: '2026-12-01T00:00:00Z' } },
  ]);
});

test('undoing a judgement takes its rule away, too', async () => {
  answer();
  const judged = { kind: 'judge', name: 'false_positive', reason: 'known_noise', text: '' } as const;
  const { undo } = await perform({ ...judged, scope: 'this_fingerprint' }, row);
  await undo();
  expect(asked.map(({ name }) => name)).toEqual(['EventClassify', 'EventRemoveRule', 'EventSetStatus']);
  expect(asked[1]?.variables).toEqual({ account: 'a1', rule: 'rule-1' });
});

test('a closed event is opened again before anything else is done with it', () => {
  expect(whyNot('resolve', { triage: 'OPEN', state: 'CLOSED' })).toBe('Reopen it first');
  expect(whyNot('reopen', { triage: 'OPEN', state: 'CLOSED' })).toBeUndefined();
  expect(whyNot('reopen', { triage: 'OPEN', state: 'FIRING' })).toBe('It is open already');
  expect(whyNot('acknowledge', { triage: 'ACKNOWLEDGED', state: 'FIRING' })).toBe('It is acknowledged already');
});

test('what failed is told apart from what was done', async () => {
  const { done, failed } = await each([1, 2, 3], (one) =>
    one === 2 ? Promise.reject(new Error('no')) : Promise.resolve(one),
  );
  expect(done).toEqual([1, 3]);
  expect(failed.map(({ message }) => message)).toEqual(['no']);
  expect(doneWords('snooze', [row])).toBe('Snoozed “Node is not ready”');
  expect(doneWords('close', [row, row])).toBe('Closed 2 events');
});

test('work on many events tells a hundredth at a time how far it is, and what is stopped begins no further one', async () => {
  const told: string[] = [];
  const items = Array.from({ length: 2_000 }, (_, i) => i);
  const { done } = await each(
    items,
    (one) => Promise.resolve(one),
    progressOf('Closing', items.length, (words) => told.push(words)),
    () => told.length >= 50,
  );
  expect(told.slice(0, 2)).toEqual(['Closing 20 of 2,000', 'Closing 40 of 2,000']);
  // What was under way then is one request.
  expect(told.length).toBeLessThanOrEqual(50 + Math.ceil(mostTogether / 20));
  expect(done.length).toBeGreaterThanOrEqual(1_000);
  expect(done.length).toBeLessThan(1_020 + mostTogether);
});

test('the event that others are duplicates of stays as it is, and each of them names it', async () => {
  answer();
  const act = {
    kind: 'judge',
    name: 'duplicate',
    reason: 'duplicate_incident',
    text: '',
    scope: 'this_event',
    of: 'e0',
  } as const;
  const original = { ...row, id: 'e0' };
  expect(changedBy(act, [original, row])).toEqual([row]);
  await perform(act, row);
  expect(asked[0]?.variables).toMatchObject({ id: 'e1', classification: 'duplicate', of: 'e0' });
});
