import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { columnsFor } from './columns';
import { rowOf } from './row';
import type { Stored } from './row';
import { stored } from './stored.fixture';

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
