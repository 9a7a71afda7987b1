import { afterEach, expect, test } from 'vitest';
import { setZone } from '@/shared';
import { windowText } from './window';

const now = new Date('2026-11-29T08:00:00Z');
afterEach(() => {
  setZone(null);
});

test('a window is told in words', () => {
  setZone('UTC');
  expect(windowText({ days: [6, 7], starts_at: '22:00', minutes: 240 }, now)).toBe(
    'Saturday and Sunday at 22:00 UTC, for 4 h',
  );
  expect(windowText({ days: [1], starts_at: '00:00', minutes: 45 }, now)).toBe('Monday at 00:00 UTC, for 45 min');
  expect(windowText({ days: [1, 2, 3, 4, 5, 6, 7], starts_at: '01:00', minutes: 90 }, now)).toBe(
    'Every day at 01:00 UTC, for 1 h 30 min',
  );
});

test('whoever reads times in another zone is told what it is there', () => {
  setZone('Asia/Kolkata');
  expect(windowText({ days: [6], starts_at: '22:00', minutes: 60 }, now)).toBe(
    'Saturday at 22:00 UTC (03:30 the next day in Asia/Kolkata), for 1 h',
  );
});
