import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

/** What a narrow window, forced colours and paper change stands in files of their own. */
const changes = ['narrow.css', 'print.css'];

/** The classes that a stylesheet says something of on their own, wherever they stand. */
function classes(file: string): Set<string> {
  const rules = readFileSync(file, 'utf8').replace(/\/\*.*?\*\//gs, '');
  const selectors = Array.from(rules.matchAll(/(?<=^|[{}])([^{}@]+)\{/g), (match) => (match[1] ?? '').split(','));
  return new Set(
    selectors
      .flat()
      .map((selector) => selector.trim())
      .filter((selector) => /^\.[\w-]+$/.test(selector)),
  );
}

test('a class has one stylesheet, since a second one changes it on every page', () => {
  const homes = new Map<string, string[]>();
  for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.css') || changes.some((file) => name.endsWith(file))) continue;
    for (const found of classes(`src/${name}`)) homes.set(found, [...(homes.get(found) ?? []), name]);
  }
  expect(homes.size).toBeGreaterThan(100);
  expect([...homes].filter(([, files]) => files.length > 1)).toEqual([]);
});
