import { expect, test } from 'vitest';
import {
  attemptName,
  hasInverse,
  messageOf,
  needsRepository,
  sentence,
  sharedReasons,
  wayAbout,
  wayConfig,
  wayKey,
  wayName,
} from './way';
import type { Attempt, Way } from './way';

test('a way is named by what it does, and an unknown one by its own word', () => {
  const named = (provider: string, name: string | null = null) => wayName({ provider, integration_name: name });
  expect(named('')).toBe('By hand');
  expect(named('github')).toBe('With a pull request on GitHub');
  expect(named('other')).toBe('other');
  expect(named('ticket', 'shop')).toBe('With a ticket (shop)');
  expect(wayAbout('jira')).toContain('ticket');
  expect(attemptName('PullRequest')).toBe('Pull request');
});

const way = (type: string, reason: string | null = null): Way => ({
  provider: 'github',
  integration_id: null,
  integration_name: null,
  type,
  is_possible: reason === null,
  reason,
  plan: '',
  patch: null,
  commands: [],
});

test('two trackers of one kind are told apart by name, key and what they are begun with', () => {
  const jira = (id: string, name: string): Way => ({
    ...way('Ticket'),
    provider: 'jira',
    integration_id: id,
    integration_name: name,
  });
  const [one, two] = [jira('1', 'desk one'), jira('2', 'desk two')];
  expect([wayName(one), wayName(two)]).toEqual([
    'With a ticket in Jira (desk one)',
    'With a ticket in Jira (desk two)',
  ]);
  expect(new Set([one, two, way('Ticket')].map(wayKey)).size).toBe(3);
  expect(wayConfig(two)).toEqual({ integration_id: '2' });
  expect(wayConfig(way('PullRequest'))).toBeUndefined();
});

test('a reason of several ways is told once above them, a reason of one stands beside it', () => {
  const off = 'automation is off';
  const ways = [way('Ticket'), way('PullRequest', off), way('PullRequest', off), way('Ticket', 'no project')];
  expect(sharedReasons(ways)).toEqual([off]);
  expect(sharedReasons([way('PullRequest', 'no token')])).toEqual([]);
});

test('only what ran its commands and has an inverse can be taken back', () => {
  const attempt = (status: string, status_message: string, data: Attempt['data']) =>
    hasInverse({
      id: '1',
      type: 'DeploymentChange',
      type_reference_id: '',
      created_at: '',
      status,
      status_message,
      data,
    });
  const ran = { inverse: [['set', 'resources']] };
  expect(attempt('InProgress', 'carried out; waits for an import that shows it', ran)).toBe(true);
  expect(attempt('InProgress', 'waits for approval', ran)).toBe(false);
  expect(attempt('Failed', 'carried out', ran)).toBe(false);
  expect(attempt('InProgress', 'carried out', { inverse: [] })).toBe(false);
  expect(attempt('InProgress', 'carried out', null)).toBe(false);
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
