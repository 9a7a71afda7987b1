// Checks that the libraries of the service have the same features when it is built alone (`make run` without a display) and together with the window and
// the tests (all other tasks). Otherwise code could use a feature that only another package enables, and would not build alone.
//
// Exits with 1 and lists the libraries that differ. To fix this, add their features to Cargo.toml.

import { execFileSync } from 'node:child_process';

const cargo = (...args) => execFileSync('cargo', [...args, '--locked'], { encoding: 'utf8', maxBuffer: 2 ** 30 });

/** The features of each library linked into a program: `name version` → `a,b,c`. Procedural macros run in the compiler and are excluded. */
function features(...build) {
  const tree = cargo('tree', ...build, '--prefix', 'none', '--format', '{p}|{f}', '--target', 'all');
  const found = new Map();
  for (const line of tree.split('\n')) {
    const [library, its = ''] = line.replace(/ \(\*\)$/, '').split('|');
    if (library) found.set(library, (found.get(library) ?? new Set()).add(its));
  }
  return new Map([...found].map(([library, sets]) => [library, [...sets].sort().join(' and ')]));
}

const alone = features('--package', 'server', '--edges', 'normal,no-proc-macro');
const beside = features('--workspace', '--all-features', '--edges', 'normal,dev,no-proc-macro');

const { packages } = JSON.parse(cargo('metadata', '--format-version', '1', '--no-deps'));
const ours = packages.filter(({ name, version }) => [...alone.keys()].some((key) => key.startsWith(`${name} v${version}`)));
const used = new Set(
  ours.flatMap(({ dependencies }) => dependencies.filter(({ kind }) => kind === null).map(({ name }) => name)),
);

const different = [...alone].filter(
  ([library, its]) => used.has(library.split(' ')[0]) && beside.get(library) !== its,
);
for (const [library, its] of different) {
  console.error(`${library}: alone ${its || 'no feature'}; beside the window and the tests ${beside.get(library)}`);
}
if (different.length > 0) {
  console.error('Expected the same features in both. Name those that are used in Cargo.toml, [workspace.dependencies].');
  process.exit(1);
}
console.log(`${ours.length} crates of the service use ${used.size} libraries, which have the same features alone.`);
