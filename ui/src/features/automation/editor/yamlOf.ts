import type { Json } from '@/api';

/** Words that YAML reads as something else than a text. */
const words = /^(true|false|null|yes|no|on|off|y|n|~)$/i;
/** A text that can stand without quotes. */
const plain = /^[A-Za-z_/][\w ./@%+-]*$/;

/** A value as YAML, in the order in which it was written. */
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
    const fields = Object.entries(value);
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

/** A text, number, truth or nothing; a text of several lines stands in quotes, too. */
export function scalar(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const isPlain = plain.test(value) && !words.test(value) && !value.endsWith(' ');
  return isPlain ? value : JSON.stringify(value);
}
