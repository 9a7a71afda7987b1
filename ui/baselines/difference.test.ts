import { describe, expect, test } from 'vitest';
import { difference } from './difference';
import type { Picture } from './difference';

/** A page of 320 × 200: a rail, and a panel with a table of five columns of grey text. */
function page({ left = 80, columns = 5, accent = [11, 100, 117], weight = 60 } = {}): Picture {
  const picture: Picture = { width: 320, height: 200, rgb: new Uint8Array(320 * 200 * 3).fill(245) };
  const paint = (x: number, y: number, width: number, height: number, colour: number[]) => {
    for (let row = y; row < y + height; row++)
      for (let column = x; column < x + width; column++) picture.rgb.set(colour, (row * picture.width + column) * 3);
  };
  paint(0, 0, 60, 200, [235, 239, 241]);
  paint(left, 20, 220, 160, [255, 255, 255]);
  paint(left + 180, 24, 36, 8, accent);
  for (let row = 0; row < 14; row++)
    for (let column = 0; column < columns; column++)
      paint(left + 6 + column * 42, 40 + row * 10, 24, 3, [255 - weight, 255 - weight, 255 - weight]);
  return picture;
}

describe('a picture', () => {
  test('is the same as itself, and with letters a little thicker', () => {
    expect(difference(page(), page()).message).toBeUndefined();
    expect(difference(page({ weight: 70 }), page()).message).toBeUndefined();
  });

  test.each([
    ['a panel that moved by 16 px', { left: 84 }],
    ['a column that is missing', { columns: 4 }],
    ['a button in another colour', { accent: [23, 113, 63] }],
  ])('differs with %s', (_, change) => {
    expect(difference(page(change), page()).message).toMatch(/blocks differ/);
  });

  test('differs in another size', () => {
    expect(difference({ ...page(), height: 199 }, page()).message).toBe('the picture is 320 × 199, wanted 320 × 200');
  });
});
