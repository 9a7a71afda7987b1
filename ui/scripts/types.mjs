// Writes src/api/generated/schema.d.ts, the types of the GraphQL interface, from ../schema/generated/schema.graphql.
// QUARTERDECK_SCHEMA names another SDL file.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { buildSchema, introspectionFromSchema } from 'graphql';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const source = process.env.QUARTERDECK_SCHEMA ?? resolve(root, '../schema/generated/schema.graphql');
const target = resolve(root, 'src/api/generated/schema.d.ts');

let sdl;
try {
  sdl = readFileSync(source, 'utf8');
} catch (cause) {
  console.error(
    `No schema at ${source} (${cause.code}). It is written by \`UPDATE=1 cargo test\`; QUARTERDECK_SCHEMA names another file.`,
  );
  process.exit(1);
}
const introspection = introspectionFromSchema(buildSchema(sdl, { assumeValid: true }), { descriptions: false });
const text = outputIntrospectionFile(minifyIntrospection(introspection), { fileType: '.d.ts', shouldPreprocess: true });
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, text);
