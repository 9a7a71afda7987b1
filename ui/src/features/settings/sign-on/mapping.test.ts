import { expect, test } from 'vitest';
import { nearMissOf, problemsOf, rowsOf, textOfRows } from './mapping';

test('the setting becomes rows and rows become the setting', () => {
  const text = '{ "platform-admins": "tenant_admin", "42": "tenant_admin_readonly" }';
  expect(rowsOf('{ "platform-admins": "tenant_admin" }')).toEqual([{ group: 'platform-admins', role: 'tenant_admin' }]);
  expect(textOfRows(rowsOf(text) ?? [])).toContain('"platform-admins": "tenant_admin"');
  expect(textOfRows([])).toBe('{}');
});

test('what is no object of texts has no rows', () => {
  expect([rowsOf('[]'), rowsOf('{"a": 1}'), rowsOf('{'), rowsOf(' ')]).toEqual([null, null, null, []]);
});

test('a group mapped twice, without a name or with a space at its end is told', () => {
  const rows = ['admins', 'admins', '', 'admins ', ' viewers'].map((group) => ({ group, role: 'tenant_admin' }));
  expect(problemsOf(rows)).toEqual([
    null,
    'Already mapped in row 1.',
    'Enter the name of the group, exactly as the provider sends it.',
    'Already mapped in row 1, but for the space at its end.',
    'Has a space at its beginning. Names must match exactly.',
  ]);
});

test('groups that differ in capital letters only are pointed out', () => {
  const rows = [
    { group: 'developers', role: 'tenant_admin' },
    { group: 'Developers', role: 'tenant_admin' },
  ];
  expect(nearMissOf(rows, 1)).toBe('Row 1 is “developers”. Capital letters differ, so these are two groups.');
  expect(nearMissOf(rows.slice(0, 1), 0)).toBeNull();
});
