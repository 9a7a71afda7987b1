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

test('what a spreadsheet would run as a formula is marked, and numbers stay numbers', () => {
  const cells = ['=1+1', '+cmd', '-1+2', '@SUM(A1)', '\t=1', '-12.5', '+1', '-1.5e-7', -3, 'a=b', '-'];
  expect(
    csv(
      ['=head'],
      cells.map((cell) => [cell]),
    ),
  ).toBe("'=head\r\n'=1+1\r\n'+cmd\r\n'-1+2\r\n'@SUM(A1)\r\n'\t=1\r\n-12.5\r\n+1\r\n-1.5e-7\r\n-3\r\na=b\r\n'-\r\n");
});
