import { expect, test } from 'vitest';
import { besideWords, lasting, ownerIdOf, rowOf, startShort, triageWords } from './row';
import type { EventRecord } from './row';

const now = new Date('2026-11-25T12:00:00Z');
const stored = {
  id: 'e1',
  title: 'Node is not ready',
  priority: 'HIGH',
  status: 'FIRING',
  nb_status: 'SNOOZED',
  snoozed_until: '2026-12-01T00:00:00',
  source: 'datadog_webhook',
  subject_name: 'api-1',
  subject_namespace: 'shop',
  cluster: 'plant-4',
  cloud_account: null,
} as EventRecord;

test('a row has the words of its event', () => {
  const row = rowOf(stored);
  expect(row).toMatchObject({
    severity: 'High',
    subject: 'shop / api-1',
    source: 'Datadog',
    account: 'plant-4',
    state: 'FIRING',
    triage: 'SNOOZED',
  });
  expect(triageWords(row, now)).toBe('Snoozed to 1 Dec');
  expect(rowOf({ ...stored, nb_status: null, source: null }).triage).toBe('OPEN');
});

test('an open event belongs to nobody', () => {
  expect(ownerIdOf({ nb_status: 'ACKNOWLEDGED', nb_status_changed_by: 'u1' })).toBe('u1');
  expect(ownerIdOf({ nb_status: 'OPEN', nb_status_changed_by: 'u1' })).toBeNull();
  expect(ownerIdOf({ nb_status: 'SUPPRESSED', nb_status_changed_by: null })).toBeNull();
});

test('times are short: today by the hour, before by the day', () => {
  expect(startShort('2026-11-25T06:03:00', now)).toBe('06:03');
  expect(startShort('2026-11-19T06:03:00', now)).toBe('19 Nov');
  expect(lasting('2026-11-25T11:22:00', now)).toBe('38 min');
  expect(lasting('2026-11-25T09:00:00', now)).toBe('3 h');
  expect(lasting('2026-11-20T12:00:00', now)).toBe('5 days');
  expect(lasting('2022-01-04T12:00:00', now)).toBe('1,786 days');
});

test('beside an open event the list says how long what is decided took, and else what triage decided', () => {
  const over: Partial<EventRecord> = {
    starts_at: '2026-11-25T06:03:00',
    ends_at: '2026-11-25T06:12:00',
    status: 'RESOLVED',
  };
  const words = (change: Partial<EventRecord>) => besideWords(rowOf({ ...stored, ...over, ...change }), now);
  expect(words({ nb_status: 'RESOLVED' })).toBe('after 9 min');
  expect(words({ nb_status: 'DUPLICATE' })).toBe('Duplicate');
  expect(words({ nb_status: 'RESOLVED', status: 'FIRING' })).toBe('Resolved');
  expect(words({ nb_status: 'RESOLVED', ends_at: null })).toBe('Resolved');
});
