import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

/** What a narrow or low window, preferences of the person and paper change stands in files of their own. */
const changes = [
  'narrow.css',
  'narrow-tables.css',
  'narrow-parts.css',
  'low.css',
  'preferences.css',
  'forced.css',
  'print.css',
];

/** The classes that a stylesheet says something of on their own, wherever they stand, or on one kind of element (`p.x`). */
function classes(file: string, isOfElements = false): Set<string> {
  const rules = readFileSync(file, 'utf8').replace(/\/\*.*?\*\//gs, '');
  const selectors = Array.from(rules.matchAll(/(?<=^|[{}])([^{}@]+)\{/g), (match) => (match[1] ?? '').split(','));
  return new Set(
    selectors
      .flat()
      .map((selector) => (isOfElements ? selector.trim().replace(/^[a-z]+(?=\.)/, '') : selector.trim()))
      .filter((selector) => /^\.[\w-]+$/.test(selector)),
  );
}

/** The classes that a page names in so many letters, or by a choice between two. */
function used(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const named = Array.from(text.matchAll(/className="([^"]*)"/g), (match) => match[1] ?? '');
  const chosen = Array.from(text.matchAll(/className=\{[^}]*?\? '([^']*)' : '([^']*)'/g), (match) => match.slice(1));
  return [...named, ...chosen.flat()].flatMap((names) => names.split(/\s+/));
}

const areaOf = (file: string) =>
  file
    .split('/')
    .slice(0, file.startsWith('features/') ? 2 : 1)
    .join('/');

test('a page uses the classes of its own stylesheet and the shared ones: others come and go with their pages', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const homes = new Map<string, Set<string>>();
  for (const name of files.filter((file) => file.endsWith('.css')))
    for (const found of classes(`src/${name}`, true))
      homes.set(found, (homes.get(found) ?? new Set()).add(areaOf(name)));
  const borrowed = files
    .filter((file) => file.endsWith('.tsx') && !file.includes('.test.'))
    .flatMap((file) =>
      used(`src/${file}`)
        .map((name) => ({ name, areas: homes.get(`.${name}`) }))
        .filter(({ areas }) => areas !== undefined && !areas.has('shared') && !areas.has(areaOf(file)))
        .map(({ name }) => `${file}: ${name}`),
    );
  expect(borrowed).toEqual([]);
});

test('a class has one stylesheet, since a second one changes it on every page', () => {
  const homes = new Map<string, string[]>();
  for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.css') || changes.some((file) => name.endsWith(file))) continue;
    for (const found of classes(`src/${name}`)) homes.set(found, [...(homes.get(found) ?? []), name]);
  }
  expect(homes.size).toBeGreaterThan(100);
  expect([...homes].filter(([, files]) => files.length > 1)).toEqual([]);
});
