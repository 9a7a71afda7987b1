// Writes src/api/generated/rules.ts: the titles of rules of ../schema/rules.json, which the service has from there, too.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const target = resolve(root, 'src/api/generated/rules.ts');
const titles = JSON.parse(readFileSync(resolve(root, '../schema/rules.json'), 'utf8'));
mkdirSync(dirname(target), { recursive: true });
writeFileSync(
  target,
  `/** What rules are called by people; a name that ends in * stands for all that begin so. */\nexport const titles: Readonly<Record<string, string>> = ${JSON.stringify(titles, null, 2)};\n`,
);
