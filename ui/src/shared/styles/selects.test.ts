import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The choice in a line of filters, which has a look of its own. */
const bare = 'shared/controls/Select.tsx';

/** The start of every element of that name in a page, with its attributes. */
const starts = (text: string) => text.split(/<select\b/).slice(1);

test('every choice of the browser looks like the others: with the arrow of ours', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const other = files
    .filter((file) => file.endsWith('.tsx') && !file.includes('.test.') && file !== bare)
    .flatMap((file) =>
      starts(readFileSync(`src/${file}`, 'utf8'))
        .map((start) => /className=(?:\{`?|")([^"`}]*)/.exec(start.split('<option')[0] ?? '')?.[1] ?? 'no class')
        .filter((names) => !/\bsel\b/.test(names))
        .map((names) => `${file}: ${names}`),
    );
  expect(other).toEqual([]);
});
