import { expect, test } from 'vitest';
import { mostTogether } from '@/api';
import { doneWords, each, failedWords, whyNot } from './act';
import type { Kind } from './act';
import { entriesOf } from './history';
import { rowOf } from './row';
import type { RecommendationRecord } from './row';
import { stored } from './stored.fixture';

const row = (over: Partial<RecommendationRecord> = {}) => rowOf({ ...stored, ...over });
const kinds: Kind[] = ['assign', 'resolve', 'dismiss', 'reopen'];
const can = (over: Partial<RecommendationRecord>) =>
  kinds.filter((kind) => whyNot(kind, row(over)) === undefined).join();

test('what is open is assigned, resolved or dismissed, what is closed is reopened, what is gone stays', () => {
  expect(can({})).toBe('assign,resolve,dismiss');
  expect(can({ status: 'Assigned' })).toBe('assign,resolve,dismiss,reopen');
  expect(can({ status: 'Closed' })).toBe('reopen');
  expect(can({ status: 'Dismissed', is_dismissed: true })).toBe('reopen');
  expect(can({ is_dismissed: true })).toBe('reopen');
  expect(can({ status: 'Archive' })).toBe('');
});

test('many are changed a few at a time, and one that fails keeps the others from nothing', async () => {
  let running = 0;
  let most = 0;
  const numbers = Array.from({ length: 120 }, (_, i) => i);
  const progress: number[] = [];
  const { done, failed } = await each(
    numbers,
    async (number) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running -= 1;
      if (number === 3) throw new Error('it is gone');
      return number;
    },
    (count) => progress.push(count),
  );
  expect(done).toEqual(numbers.filter((number) => number !== 3));
  expect(failedWords('resolve', failed)).toBe('1 recommendation could not be resolved: it is gone');
  expect(most).toBeLessThanOrEqual(mostTogether);
  expect(progress.at(-1)).toBe(120);
});

test('the words name one by its title, many by their number, and the person', () => {
  expect(doneWords({ kind: 'resolve' }, [row()])).toBe('Resolved “rule-1”');
  const person = { id: 'p', display_name: 'Ada', username: 'ada@example.com', status: 'active' as const };
  expect(doneWords({ kind: 'assign', person }, [row(), row()])).toBe('Assigned 2 recommendations to Ada');
});

test('the history names each change, and takes back what the trail tells enough of', () => {
  const change = (event_type: string, before: object, after: object) => ({
    id: event_type,
    event_time: '2026-11-20T10:00:00Z',
    event_actor: 'ada@example.com',
    event_type,
    event_prev_state: JSON.stringify(before),
    event_state: JSON.stringify(after),
  });
  const before = { status: 'Assigned', is_dismissed: false, dismissed_reason: null };
  const entries = entriesOf([
    change('recommendation_assign', { status: 'Open' }, { status: 'Assigned' }),
    change('recommendation_dismiss', before, { status: 'Dismissed', is_dismissed: true, dismissed_reason: 'December' }),
    change('update_recommendation', { status: 'Dismissed', is_dismissed: true }, { ...before }),
    change('recommendation_reopen', { status: 'Assigned' }, { status: 'Open' }),
    change('update_recommendation', { note: 'a' }, { note: 'b' }),
  ]);
  expect(entries.map(({ text, back }) => [text, back])).toEqual([
    ['Assigned', 'reopen'],
    ['Dismissed: December', before],
    ['Restored to assigned', { status: 'Dismissed', is_dismissed: true }],
    ['Reopened', null],
  ]);
});
