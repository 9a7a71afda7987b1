import { rowOf } from './row';
import type { Row } from './row';

/** What the verdict of an anomaly rests on: 100 on each Monday before. */
export const referenceForTest = {
  rule: 'A: same weekday',
  run: [{ date: '2026-06-15', actual: 300, expected: 100 }],
  values: [{ date: '2026-06-08', value: 100, weight: 1 }],
  expected: 100,
  mad: 0,
  floor: 4,
  spread: 8,
  factor: '3.5',
  min_percent: 15,
  min_amount: 5,
};

/** An anomaly of a service that has ended, with these changes. */
export function rowForTest({ reference = {}, ...change }: { reference?: object; [column: string]: unknown } = {}): Row {
  const stored = {
    id: 'a',
    account_id: 'account',
    scope: 'service',
    name: 'EC2',
    namespace: null,
    anomaly_type: 'CloudSpendService',
    currency: 'USD',
    current_value: 200,
    started_on: '2026-06-15',
    ended_on: '2026-06-16',
    state: 'OVER',
    impact: 340,
    feedback: null,
    created_at: '2026-06-17T06:14:00',
    rule_version: 'cost-5',
    reference_value: { ...referenceForTest, ...reference },
    ...change,
  };
  const found = rowOf(stored, new Map(), new Date('2026-06-17T12:00:00Z'));
  if (!found) throw new Error('no row');
  return found;
}
