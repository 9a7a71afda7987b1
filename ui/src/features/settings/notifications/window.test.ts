import { expect, test } from 'vitest';
import { windowText } from './window';

test('a window is told in words', () => {
  expect(windowText({ days: [6, 7], starts_at: '22:00', minutes: 240 })).toBe(
    'Saturday and Sunday at 22:00 UTC, for 4 h',
  );
  expect(windowText({ days: [1], starts_at: '00:00', minutes: 45 })).toBe('Monday at 00:00 UTC, for 45 min');
  expect(windowText({ days: [1, 2, 3, 4, 5, 6, 7], starts_at: '01:00', minutes: 90 })).toBe(
    'Every day at 01:00 UTC, for 1 h 30 min',
  );
});
