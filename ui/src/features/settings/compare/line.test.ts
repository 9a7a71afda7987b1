import { expect, test } from 'vitest';
import type { Entry } from './entry';
import { counted, text } from './entry';
import { lines } from './line';
import type { SideAnswer } from './line';

const now = new Date('2026-11-27T04:00:00Z');
const versions = { a: null, b: null };
const told = (...entries: Entry[]): SideAnswer => ({ state: 'answered', value: entries, copy: null });
const of = (a: SideAnswer, b: SideAnswer, missing = 'None') => lines({ a, b, versions, missing, now });
const money = (key: string, value: string | number, currency: string): Entry => ({
  key,
  label: key,
  figure: { kind: 'money', value, currency },
});

test('a difference of amounts is exact, also below a cent and beyond what a double holds', () => {
  const [large, small, same] = of(
    told(money('large', '9007199254740993.07', 'USD'), money('small', '0.001', 'USD'), money('same', '1.50', 'USD')),
    told(money('large', '9007199254740993.10', 'USD'), money('small', '0.0009', 'USD'), money('same', 1.5, 'USD')),
  );
  expect(large).toMatchObject({ mark: 'differs', difference: '+$0.03' });
  expect(small).toMatchObject({ mark: 'differs', difference: '−0.0001 USD' });
  expect(small?.a).toMatchObject({ text: '<$0.01', title: 'USD 0.001' });
  expect(same).toMatchObject({ mark: 'same', difference: '' });
});

test('amounts of two currencies are never subtracted and carry their codes', () => {
  const [line] = of(told(money('Spent', 10, 'USD')), told(money('Spent', 10, 'EUR')));
  expect(line).toMatchObject({ mark: 'differs', difference: '', a: { text: 'USD 10.00' }, b: { text: 'EUR 10.00' } });
});

test('what one instance lacks is said and never zero', () => {
  const here = told(money('November', 5, 'USD'));
  const whys: [SideAnswer, string, string][] = [
    [told(), 'None', 'only_a'],
    [{ state: 'signed_out', why: 'Sign in again' }, 'Not signed in', 'unknown'],
    [{ state: 'away', why: 'No answer' }, 'Not reachable', 'unknown'],
    [{ state: 'lacks', why: "field 'x' not found in type" }, 'Not for your role', 'unknown'],
    [{ state: 'refused', why: 'Administrators only' }, 'Not for your role', 'unknown'],
    [{ state: 'failed', why: 'Took too long' }, 'Could not be read', 'unknown'],
    [undefined, '…', 'unknown'],
  ];
  for (const [there, words, mark] of whys) {
    const [line] = of(here, there);
    expect(line).toMatchObject({ mark, difference: '', b: { text: words, isMissing: true } });
  }
  const [older] = lines({
    a: here,
    b: { state: 'lacks', why: 'unknown' },
    versions: { a: null, b: '0.0.9' },
    missing: 'None',
    now,
  });
  expect(older?.b.text).toBe('Not in version 0.0.9, or not for your role');
});

test('counts, days and texts stand to each other as what they are', () => {
  const entries = (many: number, day: string, name: string) =>
    told(
      { key: 'many', label: 'Accounts', figure: counted(many) },
      { key: 'day', label: 'Costs through', figure: { kind: 'day', day } },
      { key: 'name', label: 'Tenant', figure: text(name) },
    );
  const [many, day, name] = of(entries(3, '2026-11-19', 'Harbour'), entries(1, '2026-11-20', 'Pier'));
  expect(many?.difference).toBe('−2');
  expect(day).toMatchObject({ difference: '+1 day', a: { text: '19 Nov' } });
  expect(name).toMatchObject({ mark: 'differs', difference: '' });
});

test('lines of both sides are in one order', () => {
  const ranked = (...keys: string[]) =>
    told(...keys.map((key) => ({ key, label: key, figure: counted(1), rank: key })));
  expect(of(ranked('a', 'c'), ranked('b', 'c')).map(({ key, mark }) => `${key} ${mark}`)).toEqual([
    'a only_a',
    'b only_b',
    'c same',
  ]);
});
