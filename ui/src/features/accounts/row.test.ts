import { expect, test } from 'vitest';
import { freshness, lastPart, needsAttention, rowOf } from './row';
import type { AccountRecord } from './row';
import { problemsOf, sameSettings, settingsOf } from './save';

const now = new Date('2026-11-25T12:00:00Z');
const none = { aggregate: { count: 0 } };
const stored = {
  id: 'a1',
  account_name: 'aws-production',
  account_number: '100000004471',
  account_type: 'kubernetes',
  account_env: 'prod',
  account_purpose: null,
  budget: '40000',
  cloud_provider: 'K8s',
  status: 'active',
  sync_status: null,
  sync_status_message: null,
  synced_at: null,
  agent_synced_at: null,
  agents: [],
  cloud_account_attrs: [{ id: 't1', name: 'owner', value: 'Payments' }],
  firing: none,
  open: none,
  cloud_resourses_aggregate: none,
} as unknown as AccountRecord;

test('a failed read is told first, then an agent, then bills, then files', () => {
  const agent = { ...stored.agents[0], last_synced_at: '2026-11-25T11:00:00', last_connected_at: null };
  const failed = {
    ...stored,
    sync_status: 'Error',
    sync_status_message: 'No file for 19 Nov',
    agents: [agent],
  } as AccountRecord;
  expect(freshness(failed, null, now)).toMatchObject({ tone: 'bad', detail: 'No file for 19 Nov' });
  expect(freshness({ ...stored, agents: [agent] } as AccountRecord, null, now)).toMatchObject({
    tone: 'ok',
    text: 'Current',
  });
  const old = { ...agent, last_synced_at: '2026-11-23T11:00:00' };
  expect(freshness({ ...stored, agents: [old] } as AccountRecord, null, now)).toMatchObject({
    tone: 'warn',
    text: 'Stale',
  });
  expect(freshness(stored, '2026-11-24', now)).toEqual({ tone: 'ok', text: 'Current', detail: 'bills through 24 Nov' });
  expect(freshness(stored, '2026-11-10', now)).toMatchObject({ tone: 'warn', text: 'Late' });
  expect(freshness({ ...stored, synced_at: '2026-11-25T11:00:00' }, null, now)).toMatchObject({ text: 'From files' });
  expect(freshness(stored, null, now)).toMatchObject({ text: 'No bills' });
});

test('what sends alerts or findings is no cloud account', () => {
  const of = (cloud_provider: AccountRecord['cloud_provider']) =>
    rowOf({ ...stored, account_type: 'cloud', cloud_provider }, new Map(), null, now).kind;
  expect([of('AWS'), of('Other')]).toEqual(['Cloud account', 'Other source']);
});

test('an account that is late or has firing events needs attention', () => {
  expect(needsAttention(rowOf(stored, new Map(), '2026-11-24', now))).toBe(false);
  expect(needsAttention(rowOf(stored, new Map(), '2026-11-01', now))).toBe(true);
  const firing = { ...stored, firing: { aggregate: { count: 2 } } } as AccountRecord;
  expect(needsAttention(rowOf(firing, new Map(), '2026-11-24', now))).toBe(true);
});

test('settings are read from the account and checked before they are saved', () => {
  const settings = settingsOf(stored);
  expect(settings).toEqual({
    name: 'aws-production',
    environment: 'prod',
    owner: 'Payments',
    purpose: '',
    budget: '40000',
  });
  expect(sameSettings(settings, { ...settings, owner: ' Payments ' })).toBe(true);
  expect(problemsOf(settings)).toEqual({});
  expect(problemsOf({ ...settings, name: ' ', budget: '4e4' })).toEqual({
    name: 'Enter a name, for example “aws-production”',
    budget: '“4e4” is not an amount. Enter a number such as 40000 or 1250.50',
  });
});

test('what advice is about is told by the last part of its identifier', () => {
  expect([
    lastPart('kube-system/Deployment/coredns'),
    lastPart('arn:aws:ec2:eu-west-1:1:volume/vol-1'),
    lastPart('i-1'),
  ]).toEqual(['coredns', 'vol-1', 'i-1']);
});
