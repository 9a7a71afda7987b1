import { expect, test } from 'vitest';
import { dueWords, optionWords, planLines, policyWords, problemOfAnswer, standingWords, reasonHint } from './approval';
import type { Approval } from './queries';

function approval(more: Partial<Approval> = {}): Approval {
  return {
    id: 'a',
    account_id: 'x',
    workflow_id: 'w',
    workflow_name: 'Right-size',
    execution_id: 'r',
    task_id: 'ask',
    purpose: null,
    message: 'Go?',
    plan: null,
    plan_id: null,
    options: ['approve', 'reject'],
    asked_at: '2026-11-20T05:00:00Z',
    due_at: null,
    default_on_timeout: null,
    minimum: 1,
    excludes_author: false,
    approvers: [],
    votes: [],
    status: 'OPEN',
    answer: null,
    answered_by: null,
    answered_at: null,
    comments: null,
    may_answer: true,
    reason: null,
    ...more,
  };
}

test('a difference is told line by line, and a list of YAML is none', () => {
  expect(planLines('@@ cpu @@\n-cpu: "2"\n+cpu: 500m\n')).toEqual([
    { sign: '', text: '@@ cpu @@' },
    { sign: '-', text: 'cpu: "2"' },
    { sign: '+', text: 'cpu: 500m' },
  ]);
  expect(planLines('args:\n- get\n- pods').map(({ sign }) => sign)).toEqual(['', '', '']);
  expect(planLines('--- a\n+++ b\n+x').map(({ sign }) => sign)).toEqual(['', '', '+']);
});

test('the time that is left is told in hours, near its end in minutes', () => {
  const now = new Date('2026-11-20T06:00:00Z');
  expect(dueWords('2026-11-22T04:00:00Z', now)).toBe('expires in 46 h');
  expect(dueWords('2026-11-20T06:30:00Z', now)).toBe('expires in 30 min');
  expect(dueWords('2026-11-20T05:00:00Z', now)).toBe('timed out');
  expect(dueWords(null, now)).toBeUndefined();
});

test('who must agree is told with how many', () => {
  expect(policyWords(approval())).toBe('1 person who can change workflows of the account');
  expect(
    policyWords(approval({ minimum: 2, approvers: ['ana@example.com', 'mei@example.com'], excludes_author: true })),
  ).toBe('2 people out of ana@example.com, mei@example.com, not the author');
});

test('a question tells whom it waits for, or what was said', () => {
  expect(standingWords(approval())).toBe('Waits for you');
  expect(standingWords(approval({ may_answer: false }))).toBe('Waits for others');
  expect(standingWords(approval({ status: 'ANSWERED', answer: 'reject', answered_by: 'Mei' }))).toBe('Rejected by Mei');
  expect(standingWords(approval({ status: 'EXPIRED' }))).toBe('Expired');
});

test('everything but the first option needs a reason', () => {
  expect(problemOfAnswer(approval(), 'approve', '')).toBeUndefined();
  expect(problemOfAnswer(approval(), 'reject', ' ')).toContain('reason');
  expect(problemOfAnswer(approval(), 'reject', 'quarter close')).toBeUndefined();
  expect(optionWords('wait_a_day').verb).toBe('Wait a day');
});

test('the field says for which answers a reason is required', () => {
  expect(reasonHint({ options: ['approve', 'reject'] })).toBe('required to reject, saved with the answer');
  expect(reasonHint({ options: ['go', 'wait', 'give_up'] })).toBe('required to wait or give up, saved with the answer');
  expect(reasonHint({ options: ['go'] })).toBe('saved with the answer');
});
