import type { Json } from '@/api';

/** Words that YAML reads as something else than a text. */
const words = /^(true|false|null|yes|no|on|off|y|n|~)$/i;
/** Texts that need no quotes. */
const plain = /^[A-Za-z_/][\w ./@%+-]*$/;

/** Fields in the order in which people write them; the others follow by their names. */
const order = ['name', 'version', 'triggers', 'inputs', 'id', 'type', 'depends_on', 'if', 'matrix', 'params', 'tasks'];

function byOrder([one]: [string, Json], [other]: [string, Json]): number {
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return place(one) - place(other) || (one < other ? -1 : 1);
}

/** A value as YAML, in a stable order: databases do not preserve the order of fields. */
export function yamlOf(value: Json): string {
  return `${linesOf(value).join('\n')}\n`;
}

function linesOf(value: Json): string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return ['[]'];
    return value.flatMap((item) => {
      const [first, ...rest] = linesOf(item);
      return [`- ${first ?? ''}`, ...rest.map((line) => `  ${line}`)];
    });
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).sort(byOrder);
    if (fields.length === 0) return ['{}'];
    return fields.flatMap(([name, field]) => fieldLines(name, field));
  }
  return [scalar(value)];
}

function fieldLines(name: string, value: Json): string[] {
  const key = scalar(name);
  const isNested = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (!isNested) return [`${key}: ${linesOf(value)[0] ?? ''}`];
  return [`${key}:`, ...linesOf(value).map((line) => `  ${line}`)];
}

/** A string, number, boolean or null; multi-line strings are quoted as well. */
export function scalar(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const isPlain = plain.test(value) && !words.test(value) && !value.endsWith(' ');
  return isPlain ? value : JSON.stringify(value);
}
