import { expect, test } from 'vitest';
import { newPilot } from './draft';
import { pilotsSearch } from './search';

test('a new auto-pilot begins with what its address says', () => {
  const search = pilotsSearch({ add: 'pvc_rightsize', account: 'a1', type: 'Deployment', name: 'web', of: 3 });
  expect(search).toEqual({ add: 'pvc_rightsize', account: 'a1', type: 'Deployment', name: 'web', of: 3 });
  expect(newPilot(search)).toMatchObject({
    account: 'a1',
    category: 'pvc_rightsize',
    namespace: '',
    type: 'Deployment',
    name: 'web',
    isDry: true,
  });
});

test('an address with a category that there is not, or with nothing, begins with the usual one', () => {
  expect(newPilot(pilotsSearch({ add: 'diagonal', of: 'many' })).category).toBe('vertical_rightsize');
  expect(newPilot().account).toBe('');
});
