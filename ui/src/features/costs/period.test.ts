import { expect, test } from 'vitest';
import { along, namedRanges, usualRange, within } from './period';

const september = { from: '2024-09-01', to: '2024-09-30' };

test('the page opens with the latest month that has costs', () => {
  expect(usualRange({ from: '2023-01-15', to: '2024-09-18' })).toEqual({ from: '2024-09-01', to: '2024-09-18' });
});

test('named ranges end where the costs end and never begin before them', () => {
  const ranges = namedRanges({ from: '2024-09-03', to: '2024-09-30' });
  expect(ranges.map(({ range }) => range)).toEqual([
    { from: '2024-09-03', to: '2024-09-30' },
    { from: '2024-09-01', to: '2024-09-30' },
    { from: '2024-09-03', to: '2024-09-30' },
    { from: '2024-09-03', to: '2024-09-30' },
  ]);
});

test('only the range of all days has charges that are dated ahead', () => {
  const [all, month] = namedRanges({ from: '2024-09-03', to: '2024-09-16', last: '2025-09-01' });
  expect(all?.range).toEqual({ from: '2024-09-03', to: '2025-09-01' });
  expect(month?.range).toEqual({ from: '2024-09-01', to: '2024-09-30' });
});

test('days nobody mentions are gaps, not zeros', () => {
  const days = along({ from: '2024-09-01', to: '2024-09-03' }, 'day', [
    ['2024-09-01T00:00:00', '1.5'],
    ['2024-09-03T00:00:00', '0'],
  ]);
  expect(days).toEqual(['1.5', null, '0']);
});

test('a week that begins in the month before belongs to the range it touches', () => {
  expect(along(september, 'week', [['2024-08-26T00:00:00', '4']])[0]).toBe('4');
});

test('a press on a bar goes to the part of it that lies in the range', () => {
  expect(within(september, 'week', '2024-08-26')).toEqual({ from: '2024-09-01', to: '2024-09-01' });
  expect(within({ from: '2024-08-20', to: '2024-10-10' }, 'month', '2024-09-01')).toEqual(september);
  expect(within(september, 'day', '2024-09-07')).toEqual({ from: '2024-09-07', to: '2024-09-07' });
});
