// Fails when pages have become too big to load:
//
// - A page, opened first, with the frame and what both import at once, gzip. Charts come after the page (React.lazy), the API explorer brings an editor:
//   their own size is told, not limited.
// - The first load of the Overview, as a browser on another computer gets it, letters included; and what any other page adds to that.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const limit = 250_000;
const firstLimit = 250_000;
const laterLimit = 100_000;
const unlimited = ['ApiExplorerPage'];
const dist = new URL('../dist/', import.meta.url).pathname;
const folder = join(dist, 'assets');
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

/** What is sent of a file to a browser that takes brotli. */
function sent(path) {
  const file = join(dist, path);
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
}

const index = readFileSync(join(dist, 'index.html'), 'utf8');
const entry = / src="\/assets\/(main-[^"]+)"/.exec(index)[1];
const sum = (names, of = (name) => size.get(name)) => [...names].reduce((total, name) => total + of(name), 0);
const line = (bytes, packing, what) => console.log(`${String(bytes).padStart(8)} B ${packing.padEnd(6)}  ${what}`);
for (const [name, bytes] of [...size].sort(([, a], [, b]) => a - b)) line(bytes, 'gzip', name);
const tooBig = [];
const check = (bytes, most, packing, what) => {
  if (bytes > most) tooBig.push(what);
  line(bytes, packing, `${what}, ${most === Infinity ? 'not limited' : `of ${most} allowed`}`);
};

const pages = files.filter((name) => /\wPage-.{8}\.js$/.test(name)).sort();
const most = (page, bytes) => (unlimited.includes(titleOf(page)) ? Infinity : bytes);
for (const page of pages)
  check(sum(withImports(page, withImports(entry))), most(page, limit), 'gzip', `${titleOf(page)} with the frame`);

/** What index.html names: scripts, styles, letters, the page and the chart. */
const named = [...index.matchAll(/ (?:src|href)="\/([^"]+)"/g)].map(([, path]) => path);
const first = new Set(['index.html', ...named]);
for (const path of named)
  if (path.endsWith('.js') && path.startsWith('assets/'))
    for (const name of withImports(path.replace('assets/', ''))) first.add(`assets/${name}`);
for (const page of pages) {
  const more = [...withImports(page)].map((name) => `assets/${name}`).filter((path) => !first.has(path));
  if (more.length > 0) check(sum(more, sent), most(page, laterLimit), 'brotli', `${titleOf(page)} after the Overview`);
}
check(sum(first, sent), firstLimit, 'brotli', 'first load of the Overview');

if (tooBig.length > 0) {
  console.error(`Too big: ${tooBig.join('; ')}. Load a part of it later with React.lazy.`);
  process.exit(1);
}
