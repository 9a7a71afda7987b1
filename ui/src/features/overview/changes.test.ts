import { expect, test } from 'vitest';
import { changes } from './changes';

test('services that appeared or went are changes like any other, the largest first', () => {
  const now = [
    { resource_service_name: 'Compute', billed_cost: '110' },
    { resource_service_name: 'New', billed_cost: '5' },
  ];
  const before = [
    { resource_service_name: 'Compute', billed_cost: '100' },
    { resource_service_name: 'Gone', billed_cost: '40.5' },
  ];
  expect(changes(now, before).map(({ service, change, fraction }) => [service, change, fraction])).toEqual([
    ['Gone', '-40.5', -1],
    ['Compute', '10', 0.1],
    ['New', '5', null],
  ]);
});
