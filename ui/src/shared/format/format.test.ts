import { expect, test } from 'vitest';
import {
  age,
  bytes,
  change,
  changeTone,
  date,
  estimate,
  initials,
  money,
  moneyTick,
  range,
  share,
  timeLeft,
  longDay,
} from './index';

const now = new Date('2026-11-20T06:38:00Z');

test('a price of an hour has up to four decimals', () => {
  expect([money('6.474', 'USD', { rate: true }), money('7', 'USD', { rate: true })]).toEqual(['$6.474', '$7.00']);
});

test('money is rounded from the exact text, not from a double', () => {
  expect(money('20.52022672899', 'USD')).toBe('$20.52');
  expect(money('1.005', 'USD')).toBe('$1.01');
  expect(money('12345678901234567890.125', 'USD')).toBe('$12,345,678,901,234,567,890.13');
});

test('what is less than a cent is not told as nothing', () => {
  expect([money('0.004', 'USD'), money('-0.0000001', 'USD'), money('0.0049', 'EUR', { several: true })]).toEqual([
    '<$0.01',
    '>−$0.01',
    '<EUR 0.01',
  ]);
  expect([money('0.001', 'USD', { sign: true }), money('0.00001', 'USD', { rate: true })]).toEqual([
    '<+$0.01',
    '<$0.0001',
  ]);
  expect([estimate('0.3', 'USD'), money('0.005', 'USD'), money('0.00', 'USD'), money(0, 'USD')]).toEqual([
    '≈ <$1',
    '$0.01',
    '$0.00',
    '$0.00',
  ]);
});

test('a page with several currencies writes codes', () => {
  expect(money('1204', 'EUR', { several: true })).toBe('EUR 1,204.00');
  expect(money('1204', 'EUR')).toBe('€1,204.00');
  expect(money('12', 'TOKENS')).toBe('TOKENS 12.00');
});

test('changes carry a sign and a true minus', () => {
  expect(money('-5.5', 'USD', { sign: true })).toBe('−$5.50');
  expect(money('1209.39', 'USD', { sign: true })).toBe('+$1,209.39');
  expect(change(-0.0549)).toBe('−5.5%');
  expect(change(null)).toBe('–');
});

test('a change is coloured from 10% up', () => {
  expect([changeTone(0.099), changeTone(0.1), changeTone(-0.2)]).toEqual(['', 'up', 'down']);
});

test('estimates are whole and say so', () => {
  expect(estimate('1682.4', 'USD')).toBe('≈ $1,682');
});

test('axis labels are short, also below one', () => {
  expect(moneyTick(30000, 'USD')).toBe('$30k');
  expect(moneyTick(0.25, 'USD')).toBe('$0.25');
  expect(moneyTick(0, 'USD')).toBe('$0');
});

test('a date shows its year only when it is another one', () => {
  expect(date('2026-11-20', now)).toBe('20 Nov');
  expect(date('2025-11-20T00:00:00', now)).toBe('20 Nov 2025');
});

test('a range is worded as short as it can be', () => {
  expect(range('2026-11-01', '2026-11-19')).toBe('1–19 Nov 2026');
  expect(range('2024-09-01', '2024-09-30')).toBe('September 2024');
  expect(range('2026-10-03', '2026-11-02')).toBe('3 Oct – 2 Nov 2026');
  expect(range('2025-12-30', '2026-01-02')).toBe('30 Dec 2025 – 2 Jan 2026');
});

test('a range beside the present leaves out its year', () => {
  expect(range('2026-11-01', '2026-11-19', now)).toBe('1–19 Nov');
  expect(range('2026-11-01', '2026-11-30', now)).toBe('November');
  expect(range('2026-10-03', '2026-11-02', now)).toBe('3 Oct – 2 Nov');
  expect(range('2026-11-19', '2026-11-19', now)).toBe('19 Nov');
  expect([longDay('2026-11-19', now), longDay('2025-11-19', now)]).toEqual(['Thu 19 Nov', 'Wed 19 Nov 2025']);
  expect(range('2026-01-01', '2026-12-31', now)).toBe('2026');
  expect(range('2025-11-01', '2025-11-19', now)).toBe('1–19 Nov 2025');
  expect(range('2025-12-30', '2026-01-02', now)).toBe('30 Dec 2025 – 2 Jan 2026');
});

test('ages are relative under 48 hours', () => {
  expect(age('2026-11-19T04:38:00+00:00', now)).toBe('26 h ago');
  expect(age('2026-11-01T04:38:00+00:00', now)).toBe('1 Nov');
});

test('sizes and shares', () => {
  expect([bytes(999), bytes(38_200_000), bytes(1_440_000_000)]).toEqual(['999 B', '38 MB', '1.4 GB']);
  expect(share(0.3521)).toBe('35.2%');
});

test('time left grows coarser with its length', () => {
  expect([timeLeft(0), timeLeft(59), timeLeft(540), timeLeft(7200)]).toEqual([
    'about 1 s left',
    'about 59 s left',
    'about 9 min left',
    'about 2 h left',
  ]);
});

test('initials stand for a picture', () => {
  expect([initials('Ana Example'), initials('reports@example.com')]).toEqual(['AE', 'RE']);
});
