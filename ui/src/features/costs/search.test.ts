import { expect, test } from 'vitest';
import { explorerSearch, tidy } from './search';

test('an address without a question shows the usual view', () => {
  expect(explorerSearch({})).toEqual({});
});

test('what stands at its default leaves no trace in the address', () => {
  expect(explorerSearch({ by: 'service', metric: 'billed', unit: 'day', chart: 'stacked' })).toEqual({});
  expect(tidy({ by: undefined, filters: [], only: [] })).toEqual({});
});

test('a whole view comes back from its address', () => {
  const view = {
    from: '2024-09-01',
    to: '2024-09-30',
    compare: 'previous',
    unit: 'week',
    by: 'tag:team',
    metric: 'effective',
    chart: 'total',
    currency: 'EUR',
    filters: [{ field: 'region', values: ['eu-west-1', ''], not: true }],
    only: ['checkout', ''],
    open: [['checkout'], ['checkout', 'Amazon EC2']],
    charge: '5f2d5f5e-2f0c-4f0e-8f57-6f9f0a7e8a11',
    rows: 'check',
    sort: '-change',
    columns: ['value', 'share'],
  };
  expect(explorerSearch(JSON.parse(JSON.stringify(view)) as Record<string, unknown>)).toEqual(view);
});

test('broken values are left out, the rest stays', () => {
  expect(
    explorerSearch({
      from: '2024-09-31',
      to: '2024-10-01',
      by: 'colour',
      unit: 'decade',
      filters: [{ field: 'colour', values: ['red'] }, null, { field: 'region', values: ['westeurope'] }],
      open: 'all',
      only: [7],
      rows: 2024,
    }),
  ).toEqual({ filters: [{ field: 'region', values: ['westeurope'] }], rows: '2024' });
});

test('a range that ends before it begins is no range', () => {
  expect(explorerSearch({ from: '2024-09-30', to: '2024-09-01' })).toEqual({});
});
