// Writes src/api/generated/rest.ts, the types of the REST routes, from ../schema/generated/openapi.json, which the service writes from its handlers.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const document = JSON.parse(readFileSync(resolve(root, '../schema/generated/openapi.json'), 'utf8'));
const target = resolve(root, 'src/api/generated/rest.ts');

const literal = (value) => (typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value));
const union = (types) => [...new Set(types)].join(' | ') || 'never';
const inBrackets = (type) => (/[|&]/.test(type) ? `(${type})` : type);
const comment = (text, indent) =>
  text ? `${indent}/** ${text.replaceAll('*/', '*\\/').replace(/\s+/g, ' ')} */\n` : '';

/** The members of an object in braces; empty text where it names none. */
function members({ properties = {}, required = [] }, indent) {
  const lines = Object.entries(properties).map(([name, property]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : literal(name);
    const mark = required.includes(name) ? '' : '?';
    return `${comment(property.description, `${indent}  `)}${indent}  ${key}${mark}: ${typeOf(property, `${indent}  `)};\n`;
  });
  return lines.length > 0 ? `{\n${lines.join('')}${indent}}` : '';
}

/** The keys that a map may have. */
function keys(schema) {
  return schema.propertyNames ? `Partial<Record<${typeOf(schema.propertyNames, '')}, ` : 'Record<string, ';
}

function objectOf(schema, indent) {
  const own = members(schema, indent);
  const more = schema.additionalProperties;
  if (own) return own;
  if (more && typeof more === 'object')
    return `${keys(schema)}${typeOf(more, indent)}>${schema.propertyNames ? '>' : ''}`;
  return more === false ? 'Record<string, never>' : 'Record<string, unknown>';
}

function arrayOf(schema, indent) {
  if (schema.prefixItems) return `[${schema.prefixItems.map((item) => typeOf(item, indent)).join(', ')}]`;
  return schema.items === undefined ? 'unknown[]' : `${inBrackets(typeOf(schema.items, indent))}[]`;
}

function plain(type, schema, indent) {
  switch (type) {
    case 'object':
      return objectOf(schema, indent);
    case 'array':
      return arrayOf(schema, indent);
    case 'integer':
      return 'number';
    default:
      return type;
  }
}

/** The type of a schema, in TypeScript. */
function typeOf(schema, indent = '') {
  if (typeof schema === 'boolean') return 'unknown';
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  const parts = [];
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) parts.push(union(choices.map((choice) => typeOf(choice, indent))));
  if (schema.allOf) parts.push(...schema.allOf.map((part) => typeOf(part, indent)));
  if (Array.isArray(schema.type)) parts.push(union(schema.type.map((type) => plain(type, schema, indent))));
  else if (schema.type && !(schema.type === 'object' && parts.length > 0 && !schema.properties))
    parts.push(plain(schema.type, schema, indent));
  return parts.length > 1 ? parts.map(inBrackets).join(' & ') : (parts[0] ?? 'unknown');
}

const types = Object.entries(document.components.schemas).map(([name, schema]) => {
  const type = typeOf(schema);
  const isInterface = schema.type === 'object' && type.startsWith('{') && !type.includes('} & ');
  return `${comment(schema.description, '')}${isInterface ? `export interface ${name} ${type}` : `export type ${name} = ${type};`}\n`;
});
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, `// Written by scripts/rest.mjs.\n\n${types.join('\n')}`);
