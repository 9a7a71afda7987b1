import { expect, test } from 'vitest';
import { bytesOf } from '@/shared';
import { draftOf, newDraft, problemsOf, rowOf } from './draft';
import type { Report } from './queries';
import { reportsSearch } from './search';
import { runState } from './state';

const stored: Report = {
  id: 'r1',
  name: 'Costs',
  kind: 'costs',
  settings: { months: 3, group_by: 'tags.team', metric: 'effective', scope: { service_name: ['Compute'] } },
  schedule: '0 7 * * 1',
  timezone: 'Europe/Berlin',
  channel_id: null,
  recipients: ['ada@example.com', 'bob@example.com'],
  formats: ['pdf'],
  is_active: true,
  next_due_at: null,
  channel: null,
  runs: [],
};

test('a stored report comes back as it was', () => {
  const draft = draftOf(stored);
  expect(draft.group).toBe('tags.team');
  expect(draft.scope).toEqual([{ field: 'service', values: ['Compute'] }]);
  expect(stored).toMatchObject(rowOf(draft));
});

test('a report of a saved view holds the view and its months alone', () => {
  const report = { ...stored, settings: { months: 3, view_id: 'v1' }, formats: ['xlsx'] };
  const draft = draftOf(report);
  expect([draft.view, draft.xlsx, draft.csv]).toEqual(['v1', true, false]);
  expect(report).toMatchObject(rowOf(draft));
});

test('only the settings of the kind are kept', () => {
  const draft = {
    ...newDraft('UTC'),
    name: ' Odd days ',
    kind: 'anomalies' as const,
    days: '7',
    recipients: 'a@b.c; d@e.f',
  };
  expect(rowOf(draft)).toMatchObject({ name: 'Odd days', settings: { days: 7 }, recipients: ['a@b.c', 'd@e.f'] });
});

test('problems are told by field', () => {
  const draft = { ...newDraft('UTC'), months: '25', schedule: ' ' };
  expect(Object.keys(problemsOf(draft))).toEqual(['name', 'months', 'schedule']);
  expect(problemsOf({ ...newDraft('UTC'), name: 'Costs' })).toEqual({});
});

test('a run is as far as its message', () => {
  const run = { id: 'x', due_at: '2026-11-02T06:00:00Z', is_manual: false, error: null };
  expect(runState({ ...run, notice: null })).toEqual({ tone: 'ok', text: 'Stored here', why: null });
  expect(runState({ ...run, error: 'no', notice: null })).toEqual({ tone: 'bad', text: 'Not sent', why: 'no' });
  const notice = { deliveries: [{ state: 'failed' as const, sent_at: null, error: 'refused' }] };
  expect(runState({ ...run, notice })).toEqual({ tone: 'bad', text: 'Failed', why: 'refused' });
});

test('bytes are those that were sent, and an address with nonsense opens nothing', () => {
  expect([...bytesOf('JVBERgD/')]).toEqual([37, 80, 68, 70, 0, 255]);
  expect(reportsSearch({ id: 7, run: '' })).toEqual({});
});
