import { expect, test } from 'vitest';
import { draftOf, missing, savedOf } from './form';
import type { Tracker } from './queries';

const desk = {
  id: '1',
  name: 'Service desk',
  tool: 'jira',
  url: 'https://acme.atlassian.net',
  username: 'ada@example.com',
  projects: ['OPS'],
  is_active: true,
  status: null,
  last_connected: null,
} as Tracker;

test('what is kept stays when only the name changes, and no secret goes out', () => {
  const draft = { ...draftOf(desk), name: 'Desk' };
  expect(missing(draft, desk)).toEqual({});
  expect(savedOf(draft, desk)).toEqual({
    id: '1',
    tool: 'jira',
    name: 'Desk',
    url: 'https://acme.atlassian.net',
    username: 'ada@example.com',
    config_values: [
      { name: 'project', value: 'OPS' },
      { name: 'is_active', value: 'true' },
    ],
  });
});

test('another address wants the secret again', () => {
  const draft = { ...draftOf(desk), url: 'https://other.example.com' };
  expect(missing(draft, desk).password).toContain('another address');
  expect(missing({ ...draft, password: 'new' }, desk)).toEqual({});
});

test('a new tracker says what it lacks, and one with a usual address needs none', () => {
  expect(Object.keys(missing(draftOf(null), null))).toEqual(['name', 'url', 'password']);
  const code = { ...draftOf(null), tool: 'github', name: 'Code', password: 'token', username: 'left over' };
  expect(missing(code, null)).toEqual({});
  expect(savedOf(code, null).username).toBe('');
  expect(missing({ ...code, tool: 'pagerduty', username: '' }, null)).toEqual({ username: 'Enter an e-mail address' });
});
