import { expect, test } from 'vitest';
import { attemptName, messageOf, needsRepository, sentence, sharedReasons, wayAbout, wayName } from './way';
import type { Way } from './way';

test('a way is named by what it does, and an unknown one by its own word', () => {
  expect(wayName('')).toBe('By hand');
  expect(wayName('github')).toBe('With a pull request on GitHub');
  expect(wayName('other')).toBe('other');
  expect(wayAbout('jira')).toContain('ticket');
  expect(attemptName('PullRequest')).toBe('Pull request');
});

const way = (type: string, reason: string | null = null): Way => ({
  provider: 'github',
  type,
  is_possible: reason === null,
  reason,
  plan: '',
  patch: null,
  commands: [],
});

test('a reason of several ways is told once above them, a reason of one stands beside it', () => {
  const off = 'automation is off';
  const ways = [way('Ticket'), way('PullRequest', off), way('PullRequest', off), way('Ticket', 'no project')];
  expect(sharedReasons(ways)).toEqual([off]);
  expect(sharedReasons([way('PullRequest', 'no token')])).toEqual([]);
});

test('only a pull request asks for a repository', () => {
  expect(needsRepository(way('PullRequest'))).toBe(true);
  expect(needsRepository(way('Ticket'))).toBe(false);
});

test('what the service says of an attempt is read, whatever else stands beside it', () => {
  expect(messageOf([{ message: 'it has begun', status: 'InProgress' }])).toBe('it has begun');
  expect(messageOf([])).toBe('');
  expect(messageOf(['text'])).toBe('');
});

test('a reason becomes a sentence', () => {
  expect(sentence('automation is off')).toBe('Automation is off.');
  expect(sentence('Done.')).toBe('Done.');
});
