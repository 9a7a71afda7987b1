import { expect, test } from 'vitest';
import { pilotFor } from './automate';
import { rowOf } from './row';
import type { RecommendationRecord } from './row';
import { stored } from './stored.fixture';

const web = { id: 'r1', name: 'web', type: 'Deployment', region: 'eu-central-1' };

function row(change: Partial<RecommendationRecord>) {
  return rowOf({ ...stored, cloud_resourse: web, ...change });
}

test('an auto-pilot begins with what the rows have in common', () => {
  const cpu = row({ rule_name: 'pod_right_sizing' });
  expect(pilotFor([cpu])).toEqual({ account: 'a0', add: 'vertical_rightsize', type: 'Deployment', name: 'web', of: 1 });
  const api = row({ rule_name: 'pod_right_sizing', cloud_resourse: { ...web, id: 'r2', name: 'api' } });
  expect(pilotFor([cpu, api])).toEqual({ account: 'a0', add: 'vertical_rightsize', type: 'Deployment', of: 2 });
});

test('it looks after one account and makes one kind of change: those of most rows', () => {
  const other = { ...stored.cloud_account, id: 'b0' };
  const rows = [
    row({ rule_name: 'replica_right_sizing' }),
    row({ rule_name: 'pvc_right_sizing', cloud_account: other }),
    row({ rule_name: 'size', recommendation: { kind: 'PersistentVolumeClaim' }, cloud_account: other }),
  ];
  expect(pilotFor(rows)).toMatchObject({ account: 'b0', add: 'pvc_rightsize', of: 2 });
});

test('what is dismissed, done, of another category or of no resource is no work of one', () => {
  const rows = [
    row({ is_dismissed: true }),
    row({ status: 'InProgress' }),
    row({ category: 'Security' }),
    row({ cloud_resourse: null }),
  ];
  expect(pilotFor(rows)).toBeUndefined();
});
