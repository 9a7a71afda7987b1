// Fails when what the first page loads (everything but the chunks that come with charts and the API explorer) is over 250 kB gzip.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const limit = 250_000;
const later = { Plot: 'charts', ApiExplorerPage: 'API explorer' };
const folder = new URL('../dist/assets/', import.meta.url).pathname;
let total = 0;
for (const name of readdirSync(folder)
  .filter((n) => /\.(js|css)$/.test(n))
  .sort()) {
  const size = gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
  const part = later[name.split('-')[0]];
  if (!part) total += size;
  console.log(`${String(size).padStart(8)} B gzip  ${name}${part ? `  (${part}, not counted)` : ''}`);
}
console.log(`${String(total).padStart(8)} B gzip  of ${limit} allowed`);
if (total > limit) {
  console.error('The bundle is too big: load a page or a part of it later with React.lazy.');
  process.exit(1);
}
