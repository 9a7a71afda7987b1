// Fails when a page, opened first, loads more than 250 kB gzip before it can be used: the frame, the page and what both import at
// once. Charts come after the page (React.lazy), the API explorer brings an editor: their own size is told, not limited.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const limit = 250_000;
const unlimited = ['ApiExplorerPage'];
const folder = new URL('../dist/assets/', import.meta.url).pathname;
const files = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name));
const size = new Map(files.map((name) => [name, gzipSync(readFileSync(join(folder, name)), { level: 9 }).length]));
/** Which chunk it is, without the hash of its content: eight letters, of which one may be a dash. */
const titleOf = (name) => name.replace(/-.{8}\.(js|css)$/, '');

/** The chunk, what it imports at once, and their styles; `import("…")` comes later and is not followed. */
function withImports(chunk, found = new Set()) {
  if (found.has(chunk)) return found;
  found.add(chunk);
  for (const name of files) if (name.endsWith('.css') && titleOf(name) === titleOf(chunk)) found.add(name);
  const text = readFileSync(join(folder, chunk), 'utf8');
  for (const [, other] of text.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g)) withImports(other, found);
  return found;
}

const entry = / src="\/assets\/(main-[^"]+)"/.exec(readFileSync(join(folder, '../index.html'), 'utf8'))[1];
const sum = (names) => [...names].reduce((total, name) => total + size.get(name), 0);
const line = (bytes, what) => console.log(`${String(bytes).padStart(8)} B gzip  ${what}`);
for (const [name, bytes] of [...size].sort(([, a], [, b]) => a - b)) line(bytes, name);
let tooBig = false;
for (const page of files.filter((name) => /\wPage-.{8}\.js$/.test(name)).sort()) {
  const total = sum(withImports(page, withImports(entry)));
  const free = unlimited.includes(titleOf(page));
  tooBig ||= !free && total > limit;
  line(total, `${titleOf(page)} with the frame, ${free ? 'not limited' : `of ${limit} allowed`}`);
}
if (tooBig) {
  console.error('A page is too big: load a part of it later with React.lazy.');
  process.exit(1);
}
