import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { columnsFor, ordered } from './columns';
import { rowOf } from './row';
import type { RecommendationRecord } from './row';
import { stored } from './stored.fixture';

/** What stands in the list under the title. */
function about(over: Partial<RecommendationRecord>) {
  const title = columnsFor('wide', false, new Date('2026-11-22T00:00:00Z')).find((column) => column.id === 'title');
  return render(<>{title?.cell?.(rowOf({ ...stored, ...over }))}</>).container.lastElementChild?.textContent;
}

test('the list names the resource and its account', () => {
  expect(about({ account_object_id: 'i-1' })).toBe('i-1, Harbour');
});

test('a recommendation without a resource is told by its account alone', () => {
  expect(about({})).toBe('Harbour');
});

test('rows that the sorting leaves equal go by importance, title and resource, in whatever order they came', () => {
  const row = (id: string, severity: RecommendationRecord['severity'], resource: string) =>
    rowOf({ ...stored, id, severity, account_object_id: resource, estimated_savings: '0' });
  const rows = [row('1', 'Low', 'a'), row('2', 'High', 'c'), row('3', 'High', 'b'), row('4', 'High', 'b')];
  const sort = [{ id: 'savings', desc: true }];
  for (const came of [rows, [...rows].reverse()])
    expect(ordered(came, sort, new Date('2026-11-22T00:00:00Z')).map(({ id }) => id)).toEqual(['3', '4', '2', '1']);
});
