import { expect, test } from 'vitest';
import { addMonths, bounds, isDay, length, presets, previous, units } from './range';

test('a month is compared with the month before, whatever its length', () => {
  expect(previous({ from: '2026-03-01', to: '2026-03-31' })).toEqual({ from: '2026-02-01', to: '2026-02-28' });
});

test('a running month is compared with the same days of the month before', () => {
  expect(previous({ from: '2026-11-01', to: '2026-11-19' })).toEqual({ from: '2026-10-01', to: '2026-10-19' });
});

test('whole quarters and years are compared with the one before', () => {
  expect(previous({ from: '2026-01-01', to: '2026-12-31' })).toEqual({ from: '2025-01-01', to: '2025-12-31' });
});

test('any other range is compared with as many days before it', () => {
  expect(previous({ from: '2026-11-10', to: '2026-11-16' })).toEqual({ from: '2026-11-03', to: '2026-11-09' });
});

test('months end where they end', () => {
  expect(addMonths('2026-03-31', -1)).toBe('2026-02-28');
  expect(length({ from: '2024-02-01', to: '2024-02-29' })).toBe(29);
});

test('weeks begin on Monday, also before the range', () => {
  expect(units('week', { from: '2024-09-01', to: '2024-09-10' })).toEqual(['2024-08-26', '2024-09-02', '2024-09-09']);
});

test('the bounds of a filter hold the last day', () => {
  expect(bounds({ from: '2024-09-01', to: '2024-09-30' })).toEqual({
    _gte: '2024-09-01T00:00:00',
    _lt: '2024-10-01T00:00:00',
  });
});

test('what is no day is refused', () => {
  expect([isDay('2026-02-30'), isDay('2026-2-3'), isDay('2026-02-28'), isDay(undefined)]).toEqual([
    false,
    false,
    true,
    false,
  ]);
});

test('presets end on the day given', () => {
  expect(presets('2026-11-19').find((p) => p.name === 'This quarter')?.range).toEqual({
    from: '2026-10-01',
    to: '2026-11-19',
  });
});
