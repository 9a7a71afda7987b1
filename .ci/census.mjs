// Counts unwanted code patterns and checks forbidden ones. `make census` prints the counts. `make lint` runs it with --check,
// which fails on a forbidden dependency between crates, on a cited document that is not in the repository, and on a count
// above its limit in .ci/census.json. `--accept` sets the limits to the current counts.
//
// --list NAME prints the locations behind a count.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const crates = 'src-tauri/crates';
const ceilings = '.ci/census.json';

/** All files in a folder and its subfolders with one of these name endings. */
function files(folder, endings) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !/node_modules|\/dist\/|\/generated\//.test(file))
    .sort();
}

/** The lines of product code of a file, without test modules at its end; empty for test files. */
function productLines(file) {
  if (/\/tests?\/|\/tests\.rs$|\/benches\//.test(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  const end = lines.findIndex((line) => line.startsWith('#[cfg(test)]'));
  return end < 0 ? lines : lines.slice(0, end);
}

function places(all, pattern) {
  return all.flatMap((file) =>
    productLines(file).flatMap((line, at) => {
      const found = line.match(pattern);
      return found ? found.map(() => `${file}:${at + 1}: ${line.trim()}`) : [];
    }),
  );
}

/** Top-level modules of a crate that are part of a dependency cycle. */
function circles(crate) {
  const source = join(crates, crate, 'src');
  const arrows = new Map();
  for (const file of files(source, ['.rs'])) {
    const inside = file.slice(source.length + 1);
    const module = inside.split('/')[0].replace(/\.rs$/, '');
    if (module === 'lib' || module === 'main' || module === 'tests') continue;
    const text = productLines(file).join('\n');
    for (const [, target] of text.matchAll(/\bcrate::([a-z_]+)\b/g)) {
      if (target === module || !existsSync(join(source, `${target}.rs`)) && !existsSync(join(source, target))) continue;
      if (!arrows.has(module)) arrows.set(module, new Set());
      arrows.get(module).add(target);
    }
  }
  const reaches = (from, to, seen = new Set()) =>
    [...(arrows.get(from) ?? [])].some(
      (next) => next === to || (!seen.has(next) && (seen.add(next), reaches(next, to, seen))),
    );
  return [...arrows.keys()].filter((module) => reaches(module, module)).map((module) => `${crate}::${module}`);
}

/** The dependencies of each of our crates on others of ours, without those of tests. */
function dependencies() {
  const names = readdirSync(crates).filter((name) => existsSync(join(crates, name, 'Cargo.toml')));
  return new Map(
    names.map((name) => {
      const text = readFileSync(join(crates, name, 'Cargo.toml'), 'utf8');
      const part = text.match(/^\[dependencies\]\n([\s\S]*?)(?=^\[|$(?![\s\S]))/m)?.[1] ?? '';
      const known = [...part.matchAll(/^([a-z-]+)(?:\.workspace|\s*=)/gm)].map(([, crate]) => crate);
      return [name, known.filter((crate) => names.includes(crate))];
    }),
  );
}

/** The allowed dependencies of each crate, as described in ARCHITECTURE.md. */
const allowed = JSON.parse(readFileSync('.ci/arrows.json', 'utf8'));

function wrongArrows() {
  return [...dependencies()].flatMap(([crate, known]) => {
    if (!(crate in allowed)) return [`${crate} is not in .ci/arrows.json: say what it may know`];
    return known.filter((other) => !allowed[crate].includes(other)).map((other) => `${crate} knows ${other}`);
  });
}

/** Documents cited in comments that are not in the repository, as `file:line: name`. */
function missingDocuments(all) {
  const sections = new Set(
    [...readFileSync('docs/semantics.md', 'utf8').matchAll(/^## (\d+)\./gm)].map(([, number]) => number),
  );
  // Tests cite EXPECTED.md, which may exist next to the repository.
  const known = new Set(['EXPECTED.md', ...files('.', ['.md']).map((file) => basename(file))]);
  return all.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) => {
        if (!/^\s*(\/\/|#|\*|--|<!--)|\.md\b/.test(line)) return [];
        const wrong = [];
        for (const [name] of line.matchAll(/\b[A-Z]{4,}\.md\b/g)) if (!known.has(name)) wrong.push(name);
        for (const [, number] of line.matchAll(/semantics §(\d+)/g))
          if (!sections.has(number)) wrong.push(`semantics §${number}`);
        if (/\b[Cc]onventions [A-Z]\.\d/.test(line)) wrong.push('conventions');
        return wrong.map((name) => `${file}:${at + 1}: ${name}`);
      }),
  );
}

/** Source files cited in documents that are not in the repository. Paths may be relative to src-tauri/crates: `store/src/access.rs`. */
function missingSources() {
  // Not the whole folder at once: a build that runs meanwhile adds and removes folders in `target`.
  const documents = readdirSync('.', { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return entry.name.endsWith('.md') ? [entry.name] : [];
    return ['.git', 'target'].includes(entry.name) ? [] : files(entry.name, ['.md']);
  });
  return documents.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        [...line.matchAll(/\b[a-z-]+(?:\/[a-z-]+)?\/src\/[a-z_/]+\.rs\b/g)]
          .map(([path]) => path)
          .filter((path) => !['.', 'src-tauri', crates].some((folder) => existsSync(join(folder, path))))
          .map((path) => `${file}:${at + 1}: ${path}`),
      ),
  );
}

/** Routes in the OpenAPI document without a described success response. */
function undescribedRoutes() {
  const { paths } = JSON.parse(readFileSync('schema/generated/openapi.json', 'utf8'));
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { responses }]) =>
      Object.keys(responses).some((status) => /^[123]/.test(status)) ? [] : [`${method} ${path}`],
    ),
  );
}

/** Responses of REST routes that the pages type by hand instead of using the generated type. */
function handWrittenAnswers() {
  return files('ui/src', ['.ts', '.tsx'])
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .flatMap((file) => places([file], /\b(?:call|callHere|callApart|readBeside|post|send|sendHere)<\{/g))
    .filter((place) => !place.includes("'/api/graphql'"));
}

const rust = [...files(crates, ['.rs']), ...files('src-tauri/src', ['.rs'])];
const operations = rust.filter((file) => file.startsWith(`${crates}/operations/`));
const product = rust.filter((file) => !/crates\/(store|catalogue|graphql)\//.test(file));
const cited = [...rust, ...files('ui/src', ['.ts', '.tsx', '.css']), ...files('schema', ['.graphql', '.sql'])];
const participle =
  /\b(?:struct|enum|trait|type) ([A-Z][a-z]*(?:ed|ept|old|ound|een|iven|aken|ritten|nown|ent)|Held|Met|Due|Lost|Made|Done|Gone|Led|Sought|Heard|Begun|Brought|Built|Shown|Standing|Chosen|Hidden|Drawn|Broken|Put)\b(?!ent)/g;
const nouns = /\b(Event|Content|Document|Segment|Statement|Argument|Attachment|Parent|Agent|Client|Intent|Element|Comment|Assessment|Payment|Commitment|Environment|Component|Deployment|Shared|Feed|Threshold|Background|Bound|Sound|Round|Ground|Speed|Need|Seed|Screen|Assignment|Fragment|Moment|Consent|Percent|Extent|Judgement|Settlement|Hold)\b/;

const counts = {
  'positional reads of cells (product code outside store, catalogue, graphql)': places(product, /\b(?:row|cells|columns)\[\d+\]/g),
  'json! in operations': places(operations, /\bjson!/g),
  'Result<Value> in operations': places(operations, /Result<Value(?:,|>)/g),
  'types named by a participle': places(rust, participle).filter((place) => !nouns.test(place.match(/(?:struct|enum|trait|type) (\w+)/)?.[1] ?? '')),
  'modules in a circle inside a crate': readdirSync(crates).flatMap((crate) => (existsSync(join(crates, crate, 'src')) ? circles(crate) : [])),
  'folders with more than 20 flat files': [...new Set(rust.map(dirname))].filter((folder) => rust.filter((file) => dirname(file) === folder).length > 20),
  'files of product code longer than 450 lines': rust.filter((file) => productLines(file).length > 450),
  'REST routes without a described answer': undescribedRoutes(),
  'answers of REST routes that pages describe by hand': handWrittenAnswers(),
  'crates without a README': readdirSync(crates).filter((crate) => existsSync(join(crates, crate, 'Cargo.toml')) && !existsSync(join(crates, crate, 'README.md'))),
};
const forbidden = {
  'crates that know one they must not': wrongArrows(),
  'cited documents that are not in the repository': missingDocuments(cited),
  'source files cited by documents that are not in the repository': missingSources(),
};

const list = process.argv.indexOf('--list');
if (list > 0) {
  const name = process.argv[list + 1] ?? '';
  for (const [title, found] of Object.entries({ ...counts, ...forbidden })) if (title.includes(name)) console.log(found.join('\n'));
  process.exit(0);
}
const before = existsSync(ceilings) ? JSON.parse(readFileSync(ceilings, 'utf8')) : {};
let wrong = 0;
for (const [title, found] of Object.entries(counts)) {
  const ceiling = before[title] ?? 0;
  const isAbove = found.length > ceiling;
  wrong += isAbove ? 1 : 0;
  console.log(`${String(found.length).padStart(5)}  of at most ${String(ceiling).padStart(4)}  ${title}${isAbove ? '  TOO MANY' : ''}`);
}
for (const [title, found] of Object.entries(forbidden)) {
  wrong += found.length;
  console.log(`${String(found.length).padStart(5)}  of at most    0  ${title}`);
  for (const place of found) console.log(`       ${place}`);
}
if (process.argv.includes('--accept')) {
  const now = Object.fromEntries(Object.entries(counts).map(([title, found]) => [title, found.length]));
  writeFileSync(ceilings, `${JSON.stringify(now, null, 2)}\n`);
}
if (process.argv.includes('--check') && wrong > 0) {
  console.error('The census found more than is allowed. `node .ci/census.mjs --list WORDS` prints the places.');
  process.exit(1);
}
