import { expect, test } from 'vitest';
import { csv } from './csv';

test('cells with commas, quotes or line ends are quoted', () => {
  expect(
    csv(
      ['name', 'cost'],
      [
        ['a,"b"', '20.52022672899'],
        [null, 3],
      ],
    ),
  ).toBe('name,cost\r\n"a,""b""",20.52022672899\r\n,3\r\n');
});
