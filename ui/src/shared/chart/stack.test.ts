import { expect, test } from 'vitest';
import { tickName } from './days';
import { stack } from './stack';

test('credits stack below zero, charges above', () => {
  const series = [
    { id: 'a', label: 'a', color: 1 as const, values: ['2', 1] },
    { id: 'b', label: 'b', color: 2 as const, values: ['-0.5', null] },
    { id: 'c', label: 'c', color: 3 as const, values: ['3', 4] },
  ];
  expect(stack(series, 2)).toEqual([
    [2, 1],
    [-0.5, null],
    [5, 5],
  ]);
});

test('a label names the month when it changes', () => {
  expect([tickName('2026-11-01', null, 'day'), tickName('2026-11-03', '2026-11-01', 'day')]).toEqual(['1 Nov', '3']);
  expect(tickName('2027-01-01', '2026-12-01', 'month')).toBe('Jan 2027');
});
