import { expect, test, vi } from 'vitest';
import { entries, pattern } from './found';

const rows = {
  cloud_accounts: [{ id: 'a1', account_name: 'Pier Production', account_number: '161' }],
  cloud_resourses: [{ id: 'r1', name: 'pier-ledger', type: 'instance' }],
  recommendation: [{ id: 'c1', rule_name: 'Right-size pier', cloud_resourse: { name: 'pier-ledger' } }],
};
const services = ['Amazon Elastic Compute Cloud', 'Pier Storage', ''];

test('rows of every kind are lines that lead to their place', () => {
  const go = vi.fn();
  const found = entries(rows, services, 'pier', go);
  expect(found.map(({ group, title, note }) => [group, title, note])).toEqual([
    ['Accounts', 'Pier Production', '161'],
    ['Services', 'Pier Storage', undefined],
    ['Resources', 'pier-ledger', 'instance'],
    ['Recommendations', 'Right-size pier', 'pier-ledger'],
  ]);
  for (const entry of found) entry.run();
  expect(go.mock.calls.map(([target]) => target as unknown)).toEqual([
    { to: '/costs/explorer', search: { filters: [{ field: 'account', values: ['a1'] }] } },
    { to: '/costs/explorer', search: { filters: [{ field: 'service', values: ['Pier Storage'] }] } },
    { to: '/inventory/resources', search: { id: 'r1' } },
    { to: '/recommendations', search: { id: 'c1' } },
  ]);
});

test('signs that stand for others in a pattern are meant as they are', () => {
  expect(pattern('50%_a\\b')).toBe('%50\\%\\_a\\\\b%');
});
