import { expect, test } from 'vitest';
import { rowOf } from './row';
import type { Stored } from './row';
import { markOf, textOf } from './ticket';

const stored: Stored = {
  id: 'a1000000-0000-4000-8000-000000000001',
  category: 'RightSizing',
  rule_name: 'rule-1',
  severity: null,
  status: 'Open',
  is_dismissed: false,
  dismissed_reason: null,
  note: null,
  estimated_savings: null,
  account_object_id: 'i-1',
  recommendation: { currency: 'EUR' },
  created_at: '2026-10-01T00:00:00',
  updated_at: '2026-10-01T00:00:00',
  cloud_account: { id: 'a0', account_name: 'Harbour', account_number: null, cloud_provider: 'AWS' },
  cloud_resourse: null,
};

test('a ticket says what it is about and ends with the mark it is found by', () => {
  const text = textOf(rowOf(stored));
  expect(text).toContain('Resource: i-1\nAccount: Harbour');
  expect(text.endsWith(`\n\n${markOf(stored.id)}`)).toBe(true);
});

test('what is not known is left out', () => {
  const text = textOf(rowOf(stored));
  expect(text).not.toContain('Region');
  expect(text).not.toContain('saving');
});
