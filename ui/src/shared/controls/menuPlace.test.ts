import { expect, test } from 'vitest';
import { placeOf } from './menuPlace';

const window = { width: 1000, height: 600 };
const button = (left: number, top: number) => ({ left, right: left + 80, top, bottom: top + 30 });

test('a menu stands below its button, with the right edges in line', () => {
  expect(placeOf(button(500, 100), { width: 200, height: 300 }, window)).toEqual({
    left: 380,
    top: 134,
    maxHeight: 458,
  });
});

test('it stands above where it fits there only', () => {
  expect(placeOf(button(500, 500), { width: 200, height: 300 }, window)).toMatchObject({ left: 380, top: 196 });
});

test('it stays in the window at both sides', () => {
  expect(placeOf(button(20, 100), { width: 200, height: 50 }, window).left).toBe(8);
  expect(placeOf(button(960, 100), { width: 200, height: 50 }, window).left).toBe(792);
  expect(placeOf(button(20, 100), { width: 2000, height: 50 }, window).left).toBe(8);
});

test('one that fits nowhere is as tall as the larger side, and scrolls', () => {
  const low = placeOf(button(500, 550), { width: 200, height: 2000 }, window);
  expect(low).toMatchObject({ top: 8, maxHeight: 538 });
  expect(placeOf(button(500, 10), { width: 200, height: 2000 }, window)).toMatchObject({ top: 44, maxHeight: 548 });
});
