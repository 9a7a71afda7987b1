import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { settingsPages } from '@/features/settings/pages';
import { places } from './pages';

/** The root fields of all queries of pages, and of those that several pages share. */
function asked(): Set<string> {
  const below = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const sources = [
    ...below('src/features').filter((name) => name.endsWith('queries.ts')),
    ...below('src/api').filter((name) => name.endsWith('.ts') && !name.includes('generated')),
  ];
  const texts = sources.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\bgraphql\(`([^`]*)`/g)]);
  return new Set(
    texts
      .flatMap((match) => parse(match[1] ?? '').definitions)
      .flatMap((one) => (one.kind === 'OperationDefinition' ? one.selectionSet.selections : []))
      .flatMap((one) => (one.kind === 'Field' ? [one.name.value] : [])),
  );
}

/** Whatever another version lacks must be something that a page here asks for: else a place would be off for nothing. */
test('places need what pages ask', () => {
  const all = asked();
  const fields = [...places, ...settingsPages].flatMap(({ needs }) => needs?.fields ?? []);
  expect(fields.length).toBeGreaterThan(0);
  expect(fields.filter((field) => !all.has(field))).toEqual([]);
});

test('areas are those that the service tells of', () => {
  const document = JSON.parse(readFileSync('../schema/generated/openapi.json', 'utf8')) as { tags: { name: string }[] };
  const known = document.tags.map((tag) => tag.name);
  const areas = [...places, ...settingsPages].flatMap(({ needs }) => needs?.area ?? []);
  expect(areas.length).toBeGreaterThan(0);
  expect(areas.filter((area) => !known.includes(area))).toEqual([]);
});

test('the menu of the window leads to all places, in the order of the rail', () => {
  const menu = readFileSync('../src-tauri/src/menu/mod.rs', 'utf8');
  const led = [...menu.matchAll(/"page:go ([^"]+)"/g)].map((match) => match[1]);
  expect(led).toEqual(places.map(({ address }) => address));
});
