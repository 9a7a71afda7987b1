import { expect, test } from 'vitest';
import { ofAccounts, ofAge, ofApprovals, ofCertificate, ofEvents, ofImports, ofNotices, ofPods } from './attention';
import type { ImportRow } from './attention';

const row = (over: Partial<ImportRow>): ImportRow => ({
  id: over.file_name ?? 'x',
  file_name: 'bill.csv',
  state: 'done',
  rows_read: 20,
  rows_written: 20,
  rows_skipped: 0,
  skip_reasons: null,
  error_message: null,
  ...over,
});

test('an import that failed says why', () => {
  const [item] = ofImports([row({ state: 'failed', error_message: 'The file is empty.' })]);
  expect(item).toMatchObject({ title: 'bill.csv was not imported', detail: 'The file is empty.', tone: 'bad' });
});

test('an import that waits for a decision leads to it, and is gone once somebody has decided', () => {
  const [item] = ofImports([row({ id: '7', state: 'needs_decision', rows_written: 0 })]);
  expect(item).toMatchObject({ title: 'bill.csv waits for a decision', action: 'Decide', to: '/imports', open: '7' });
  expect(ofImports([row({ id: '7', state: 'done' })])).toEqual([]);
  // Dismissed while it waited, it is shown again should it fail.
  expect(ofImports([row({ id: '7', state: 'failed' })])[0]?.key).not.toBe(item?.key);
});

test('files that wait for further parts of their delivery are one line', () => {
  const part = (id: string) => row({ id, file_name: `part-${id}.csv`, state: 'waiting_for_parts', rows_written: 0 });
  expect(ofImports([part('1')])[0]).toMatchObject({
    title: 'part-1.csv waits for further parts',
    tone: 'warn',
    to: '/imports',
    open: '1',
  });
  const items = ofImports([part('2'), part('1'), row({ id: '3', file_name: 'other.csv' })]);
  expect(items.map(({ title }) => title)).toEqual(['2 files wait for further parts']);
  expect(items[0]?.key).not.toBe(ofImports([part('1')])[0]?.key);
  expect(ofImports([row({ id: '1', file_name: 'part-1.csv' }), part('1')])).toEqual([]);
});

test('a file of which no row could be read is told', () => {
  const [item] = ofImports([row({ state: 'nothing_read', rows_written: 0 })]);
  expect(item).toMatchObject({ title: 'No row of bill.csv could be read', tone: 'bad', action: 'See why' });
});

test('a file that was imported again since is no longer of interest', () => {
  expect(ofImports([row({ state: 'done' }), row({ state: 'failed' })])).toEqual([]);
});

test('skipped rows name their commonest reason', () => {
  const skip_reasons = JSON.stringify([
    { reason: 'not a number', column: 'BilledCost', count: 2 },
    { reason: 'empty', column: 'ChargePeriodStart', count: 10 },
  ]);
  const [item] = ofImports([row({ state: 'done_with_skips', rows_skipped: 12, skip_reasons })]);
  expect(item?.title).toBe('12 rows of bill.csv were left out');
  expect(item?.detail).toBe('ChargePeriodStart: empty (10), and 1 more reason');
});

test('what an import left out is of no interest once later files have replaced all of it', () => {
  const skip_reasons = JSON.stringify([{ reason: 'not a number', column: 'BilledCost', count: 2 }]);
  const skipping = { state: 'done_with_skips', rows_skipped: 2, skip_reasons };
  expect(ofImports([row({ ...skipping, rows_written: 0 })])).toEqual([]);
  // Nothing of this one was ever understood.
  expect(ofImports([row({ ...skipping, rows_read: 2, rows_written: 0 })])).toHaveLength(1);
});

test('a warning that was dismissed comes back when it tells something else', () => {
  const accounts = (names: string[]) => names.map((name) => ({ id: name, account_name: name }));
  const key = (names: string[]) => ofAccounts(accounts(names), [])[0]?.key;
  expect(key(['a', 'b'])).toBe(key(['a', 'b']));
  expect(key(['a', 'b', 'c'])).not.toBe(key(['a', 'b']));
  const age = (day: string) => ofAge('2026-11-19', new Date(`${day}T12:00:00Z`), '19 Nov')[0]?.key;
  expect(age('2026-11-23')).toBe(age('2026-11-24'));
});

test('rows that recommend nothing need nobody', () => {
  const skip_reasons = JSON.stringify([
    { reason: 'already optimised: there is nothing to recommend', column: 'finding', count: 1 },
  ]);
  expect(ofImports([row({ state: 'done_with_skips', rows_skipped: 1, skip_reasons })])).toEqual([]);
});

test('bills are old from the third day on', () => {
  const at = (day: string) => new Date(`${day}T12:00:00Z`);
  expect(ofAge('2026-11-19', at('2026-11-20'), '19 Nov')).toEqual([]);
  expect(ofAge('2026-11-19', at('2026-11-22'), '19 Nov')).toEqual([]);
  expect(ofAge('2026-11-19', at('2026-11-23'), '19 Nov')[0]).toMatchObject({
    detail: expect.stringContaining('3 days old') as string,
  });
});

test('accounts without costs are named, the first two', () => {
  const accounts = ['a', 'b', 'c', 'd'].map((name) => ({ id: name, account_name: name }));
  expect(ofAccounts(accounts, [{ account_id: 'b' }])[0]?.detail).toBe('No costs imported for a, c and 1 more.');
  expect(
    ofAccounts(
      accounts,
      [...accounts].map(({ id }) => ({ account_id: id })),
    ),
  ).toEqual([]);
});

test('a sign-in certificate is pointed out when it ends soon or has ended, and only while single sign-on is on', () => {
  const health = (enabled: boolean, days: number) => ({
    enabled,
    status: 'warning' as const,
    certificate: {
      expired: days < 0,
      expiringSoon: days >= 0,
      expiresAt: '2026-12-13T23:59:59Z',
      daysUntilExpiry: days,
    },
    config: { entryPoint: null, issuer: null, callbackUrl: '' },
    messages: [],
  });
  const told = (enabled: boolean, days: number) =>
    ofCertificate(health(enabled, days), () => '13 Dec').map((item) => item.title);
  expect(told(true, 23)).toEqual(['Sign-in certificate expires in 23 days']);
  expect(told(true, -2)).toEqual(['Single sign-on fails: its certificate has expired']);
  expect([told(false, 23), ofCertificate(undefined, () => '')]).toEqual([[], []]);
});

test('runs that wait for this person are told with where to decide, none of them nothing', () => {
  expect(ofApprovals(0)).toEqual([]);
  expect(ofApprovals(1)).toMatchObject([{ title: '1 run waits for your approval', to: '/automation/approvals' }]);
  // Dismissed with two, it is shown again once there are three.
  expect(ofApprovals(3)[0]?.key).not.toBe(ofApprovals(2)[0]?.key);
});

test('notices lead to their budget or anomaly; what is only worth knowing is left to the page', () => {
  const notice = {
    id: '1',
    subject: 'budget',
    key: 'budget:7:2026-11-01:actual:100',
    severity: 'critical',
    title: 'Production: 100% of the budget was reached on 18 Nov 2026',
    text: 'USD 1,020.00 of USD 1,000.00 billed.',
    link: '/costs/budgets?id=7',
  };
  expect(ofNotices([notice])).toMatchObject([{ tone: 'bad', to: '/costs/budgets', open: '7', key: notice.key }]);
  const anomaly = { ...notice, subject: 'anomaly', severity: 'warning', link: '/costs/anomalies?id=9' };
  expect(ofNotices([anomaly])).toMatchObject([{ tone: 'warn', to: '/costs/anomalies', open: '9', action: 'Judge' }]);
  expect(
    ofNotices([
      { ...notice, severity: 'info' },
      { ...notice, subject: 'stale' },
    ]),
  ).toEqual([]);
});

test('an event nobody has taken up leads to its evidence', () => {
  const event = {
    id: '7',
    title: 'Pods restart in a loop',
    subject_name: 'payments-api',
    subject_namespace: 'payments',
    cluster: 'eks-prod-1',
    starts_at: null,
    created_at: '2026-11-20T06:03:00Z',
    priority: 'HIGH',
  };
  expect(ofEvents([event], () => '38 min ago')).toMatchObject([
    { tone: 'bad', to: '/events', open: '7', detail: 'payments / payments-api, eks-prod-1, started 38 min ago' },
  ]);
  // A pod that backs off is of medium priority: it is all that tells of the fault in some bundles.
  const lesser = { ...event, id: '8', priority: 'MEDIUM' };
  expect(ofEvents([lesser], () => '')).toMatchObject([{ tone: 'warn', open: '8' }]);
  expect(ofEvents([event, lesser], () => '').map(({ open }) => open)).toEqual(['7']);
});

test('pods that do not run are one line for each cluster', () => {
  const pods = [
    { account_id: 'c', name: 'a', status: 'CrashLoopBackOff' },
    { account_id: 'd', name: 'x', status: 'Error' },
    { account_id: 'c', name: 'b', status: 'Pending' },
    { account_id: 'c', name: 'e', status: 'Pending' },
  ];
  const lines = ofPods(
    [
      { account_id: 'c', count: 12 },
      { account_id: 'd', count: 1 },
    ],
    pods,
    (id) => `shop ${id}`,
  );
  expect(lines[0]).toMatchObject({
    title: '12 pods of shop c are not running',
    detail: 'a CrashLoopBackOff, b Pending and 10 more',
    to: '/inventory/kubernetes',
    open: 'c',
  });
  expect(lines[1]).toMatchObject({ title: '1 pod of shop d is not running', detail: 'x Error' });
});
