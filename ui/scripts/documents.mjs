// Writes src/api/generated/documents.d.ts: the types of every query that the pages write, `graphql(…)`, from ../schema/generated/schema.graphql.
// gql.tada infers such types itself, in the compiler, which takes a minute for all of them; it takes those that stand here instead. A query that
// was changed since is inferred until this runs again.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  buildSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  parse,
  typeFromAST,
} from 'graphql';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const source = process.env.QUARTERDECK_SCHEMA ?? resolve(root, '../schema/generated/schema.graphql');
const target = resolve(root, 'src/api/generated/documents.d.ts');
const schema = buildSchema(readFileSync(source, 'utf8'), { assumeValid: true });

/** A query without `${…}` in it; others are inferred. */
const QUERY = /\bgraphql\(\s*`((?:[^`$\\]|\$(?!\{))*)`/g;
const files = readdirSync(resolve(root, 'src'), { recursive: true }).filter((name) => /\.tsx?$/.test(name));
const texts = new Set();
for (const file of files.sort()) {
  for (const [, text] of readFileSync(resolve(root, 'src', file), 'utf8').matchAll(QUERY)) texts.add(text);
}
const documents = [...texts].map((text) => ({ text, definition: parse(text).definitions[0] }));
const fragments = new Map();
for (const { definition } of documents) {
  if (definition.kind === 'FragmentDefinition') fragments.set(definition.name.value, definition);
}

/** Enums and inputs that the queries use, by name. */
const named = new Map();

/** The name of a scalar, enum or input as TypeScript writes it. */
function leaf(type) {
  if (!isEnumType(type) && !isInputObjectType(type)) return `Scalar<'${type.name}'>`;
  if (!named.has(type.name)) {
    // Set first: inputs name themselves.
    named.set(type.name, '');
    named.set(type.name, isEnumType(type) ? enumeration(type) : input(type));
  }
  return type.name;
}

const enumeration = (type) =>
  `type ${type.name} = ${type
    .getValues()
    .map(({ name }) => `'${name}'`)
    .join(' | ')};`;

function input(type) {
  const fields = Object.values(type.getFields()).map(
    (field) => `${field.name}${isRequiredInputField(field) ? '' : '?'}: ${given(field.type)};`,
  );
  return `interface ${type.name} { ${fields.join(' ')} }`;
}

/** The type of a value that is sent. */
const given = (type) => wrapped(type, leaf);

/** Lists and nulls around `inner`, which says what the named type is. */
function wrapped(type, inner) {
  const bare = getNullableType(type);
  const text = isListType(bare) ? `Array<${wrapped(bare.ofType, inner)}>` : inner(bare);
  return isNonNullType(type) ? text : `${text} | null`;
}

/** The fields of a selection by the names they have in the answer; a fragment's are among them. */
function fields(selections, type, found = new Map()) {
  for (const selection of selections) {
    if (selection.kind === 'FragmentSpread') {
      fields(fragments.get(selection.name.value).selectionSet.selections, type, found);
      continue;
    }
    const isKnown = selection.directives.every(({ name }) => ['include', 'skip'].includes(name.value));
    if (selection.kind !== 'Field' || !isKnown) throw new Error('only plain fields');
    const name = selection.alias?.value ?? selection.name.value;
    const known = found.get(name);
    const selected = [...(known?.selected ?? []), ...(selection.selectionSet?.selections ?? [])];
    // What stands there on a condition may be left out of the answer.
    const isOptional = (known?.isOptional ?? true) && selection.directives.length > 0;
    found.set(name, { field: type.getFields()[selection.name.value], selected, isOptional });
  }
  return found;
}

function answer(selections, type) {
  const parts = [...fields(selections, type)].map(([name, { field, selected, isOptional }]) => {
    const inner = (bare) => (selected.length > 0 ? answer(selected, getNamedType(bare)) : leaf(bare));
    return `${name}${isOptional ? '?' : ''}: ${wrapped(field.type, inner)};`;
  });
  return `{ ${parts.join(' ')} }`;
}

function variables(definition) {
  const parts = definition.variableDefinitions.map(({ variable, type, defaultValue }) => {
    const kind = typeFromAST(schema, type);
    const isRequired = isNonNullType(kind) && !defaultValue;
    return `${variable.name.value}${isRequired ? '' : '?'}: ${given(kind)};`;
  });
  return `{ ${parts.join(' ')} }`;
}

const entries = documents
  .filter(({ definition }) => definition.kind === 'OperationDefinition')
  .map(({ text, definition }) => {
    const result = answer(definition.selectionSet.selections, schema.getRootType(definition.operation));
    return `    ${JSON.stringify(text)}: TadaDocumentNode<${result}, ${variables(definition)}, void>;`;
  });
const written = `/* eslint-disable */
import type { TadaDocumentNode } from 'gql.tada';
import type { Scalars } from '../graphql';

type Scalar<Name> = Name extends keyof Scalars ? Scalars[Name] : unknown;
${[...named.values()].sort().join('\n')}

declare module 'gql.tada' {
  interface setupCache {
${entries.join('\n')}
  }
}
`;
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, written);
