// Writes src/api/generated/areas.ts: which area every table and grouped listing stands in, from the file names of ../schema.
// Introspection does not tell it, and the pages know no table by name.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'graphql';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const target = resolve(root, 'src/api/generated/areas.ts');
const areas = {};

for (const part of ['tables', 'operations']) {
  const folder = resolve(root, '../schema', part);
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.graphql')) continue;
    const area = file.replace('.graphql', '');
    areas[area] ??= [];
    for (const definition of parse(readFileSync(resolve(folder, file), 'utf8')).definitions) {
      if (part === 'tables') {
        areas[area].push(definition.name.value);
      } else if (definition.kind === 'ObjectTypeExtension' && definition.name.value === 'query_root') {
        areas[area].push(...definition.fields.map((field) => field.name.value));
      }
    }
  }
}
mkdirSync(dirname(target), { recursive: true });
writeFileSync(
  target,
  `/** Names of tables and listings by area, in the order of the catalogue. */\nexport const areas: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(
    Object.fromEntries(Object.entries(areas).map(([area, names]) => [area, [...new Set(names)]])),
    null,
    2,
  )};\n`,
);
