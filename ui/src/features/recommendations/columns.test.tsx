import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { columnsFor } from './columns';
import { rowOf } from './row';
import type { Stored } from './row';

const stored: Stored = {
  id: 'a',
  category: 'RightSizing',
  rule_name: 'rule-1',
  severity: null,
  status: 'Open',
  is_dismissed: false,
  dismissed_reason: null,
  note: null,
  estimated_savings: null,
  account_object_id: null,
  recommendation: {},
  created_at: '2026-10-01T00:00:00',
  updated_at: '2026-10-01T00:00:00',
  cloud_account: { id: 'acc', account_name: 'Harbour', account_number: null, cloud_provider: 'AWS' },
  cloud_resourse: null,
};

/** What stands in the list under the title. */
function about(over: Partial<Stored>) {
  const title = columnsFor('wide', false, new Date('2026-11-22T00:00:00Z')).find((column) => column.id === 'title');
  return render(<>{title?.cell?.(rowOf({ ...stored, ...over }))}</>).container.lastElementChild?.textContent;
}

test('the list names the resource and its account', () => {
  expect(about({ account_object_id: 'i-1' })).toBe('i-1, Harbour');
});

test('a recommendation without a resource is told by its account alone', () => {
  expect(about({})).toBe('Harbour');
});
