import type { Json } from '@/api';
import { scalar, yamlOf } from './yamlOf';

/** Characters of a description that become the name of the workflow. */
const longestName = 50;

/** A workflow as YAML, from the JSON definition written by a model. Its name is taken from the request. */
export function draftOf(written: string, wish: string): string {
  const definition = JSON.parse(written) as Json;
  const inside = yamlOf(definition).trimEnd().split('\n');
  return [`name: ${scalar(nameOf(wish))}`, 'definition:', ...inside.map((line) => `  ${line}`), ''].join('\n');
}

/** The first words of a description, as a name may be written. */
function nameOf(wish: string): string {
  const words = wish
    .replace(/[^\p{L}\p{N} _-]+/gu, ' ')
    .trim()
    .split(/\s+/);
  let name = '';
  for (const word of words) {
    if (`${name} ${word}`.trim().length > longestName) break;
    name = `${name} ${word}`.trim();
  }
  return name === '' ? 'Drafted workflow' : name;
}
