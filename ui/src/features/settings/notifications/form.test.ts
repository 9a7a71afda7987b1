import { expect, test } from 'vitest';
import { draftOf, missing, recipientsOf, savedOf } from './form';
import type { Channel } from './queries';

const mail = {
  id: '1',
  name: 'FinOps',
  kind: 'email',
  target: 'ada@example.com',
  settings: {
    host: 'smtp.example.com',
    port: 587,
    security: 'starttls',
    username: 'costs',
    sender: 'costs@example.com',
    recipients: ['ada@example.com'],
  },
  is_active: true,
  subjects: ['budget'],
  quiet_from: null,
  quiet_until: null,
  last_sent_at: null,
  last_error: null,
} as unknown as Channel;

test('what is kept stays when only the name changes, and no secret goes out', () => {
  const draft = { ...draftOf(mail), name: 'Costs' };
  expect(missing(draft, mail)).toEqual({});
  expect(savedOf(draft, mail)).toEqual({
    id: '1',
    name: 'Costs',
    kind: 'email',
    is_active: true,
    subjects: ['budget'],
    quiet_from: '',
    quiet_until: '',
    host: 'smtp.example.com',
    port: 587,
    security: 'starttls',
    username: 'costs',
    sender: 'costs@example.com',
    recipients: ['ada@example.com'],
  });
});

test('another server wants the password again', () => {
  const draft = { ...draftOf(mail), host: 'mail.example.org' };
  expect(missing(draft, mail).password).toContain('another server');
  expect(missing({ ...draft, password: 'new' }, mail)).toEqual({});
});

test('a new channel says what it lacks, by its kind', () => {
  expect(Object.keys(missing(draftOf(null), null))).toEqual(['name', 'host', 'sender', 'recipients']);
  const slack = { ...draftOf(null), kind: 'slack' as const, name: 'Ops' };
  expect(missing(slack, null)).toEqual({ url: 'Paste the address of the webhook' });
  const typed = { ...slack, url: ' https://hooks.slack.com/services/T/B/x ', password: 'left over', key: 'left over' };
  expect(savedOf(typed, null)).not.toHaveProperty('password');
  expect(savedOf(typed, null)).not.toHaveProperty('key');
  expect(savedOf(typed, null).url).toBe('https://hooks.slack.com/services/T/B/x');
});

test('quiet hours are two times or none', () => {
  const draft = { ...draftOf(mail), quietFrom: '22:00' };
  expect(missing(draft, mail)).toHaveProperty('quietUntil');
  expect(missing({ ...draft, quietUntil: '07:00' }, mail)).toEqual({});
});

test('recipients are one a line or separated by commas', () => {
  expect(recipientsOf(' a@x.y,\nb@x.y\n\n; c@x.y')).toEqual(['a@x.y', 'b@x.y', 'c@x.y']);
});
