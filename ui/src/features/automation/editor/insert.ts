import type { Json } from '@/api';

/** A task type. */
export interface Kind {
  name: string;
  /** JSON Schema of its parameters. */
  schema: Json;
}

interface Slot {
  name: string;
  type: string;
}

/** The parameters that a kind of task cannot do without. */
export function neededOf(schema: Json): Slot[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return [];
  const { required, properties } = schema;
  const known = typeof properties === 'object' && properties !== null && !Array.isArray(properties) ? properties : {};
  return (Array.isArray(required) ? required : []).flatMap((name): Slot[] => {
    if (typeof name !== 'string') return [];
    const about = known[name];
    const type = typeof about === 'object' && about !== null && !Array.isArray(about) ? about['type'] : undefined;
    return [{ name, type: typeof type === 'string' ? type : 'any' }];
  });
}

const blanks: Record<string, string> = { number: '0', integer: '0', boolean: 'false', object: '{}', array: '[]' };

/** Lines of a new task with the parameters it needs, to be filled. */
export function snippet({ name, schema }: Kind, id: string, indent: string): string[] {
  const params = neededOf(schema).map((slot) => `${indent}    ${slot.name}: ${blanks[slot.type] ?? '""'}`);
  return [
    `${indent}- id: ${id}`,
    `${indent}  type: ${name}`,
    ...(params.length > 0 ? [`${indent}  params:`, ...params] : []),
  ];
}

/** An id that no task of the text has: print, print-2 … */
export function freeId(kind: string, yaml: string): string {
  const base = (kind.split('.').at(-1) ?? 'task').replaceAll('_', '-');
  const taken = new Set([...yaml.matchAll(/^[\s-]*id:\s*["']?([\w.-]+)/gm)].map((match) => match[1]));
  // Ids have three letters at least.
  const start = base.length < 3 ? `${base}-task` : base;
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? start : `${start}-${String(number)}`;
    if (!taken.has(id)) return id;
  }
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The text with another task at the end of the list, and the line of that task, from 1. */
export function withTask(yaml: string, kind: Kind): { yaml: string; line: number } {
  const lines = yaml.replace(/\s+$/, '').split('\n');
  const id = freeId(kind.name, yaml);
  const head = lines.findIndex((line) => /^\s*tasks:\s*(\[\s*\])?\s*(#.*)?$/.test(line));
  if (head < 0) {
    const base = lines.find((line) => /^definition:/.test(line)) === undefined ? '' : '  ';
    const before = yaml.trim() === '' ? [] : lines;
    const added = [...before, `${base}tasks:`, ...snippet(kind, id, `${base}  `)];
    return { yaml: `${added.join('\n')}\n`, line: before.length + 2 };
  }
  const outer = indentOf(lines[head] ?? '');
  const first = lines.findIndex((line, at) => at > head && line.trim() !== '' && !line.trim().startsWith('#'));
  const hasItems =
    first > 0 && (lines[first] ?? '').trimStart().startsWith('-') && indentOf(lines[first] ?? '') >= outer;
  const inner = hasItems ? indentOf(lines[first] ?? '') : outer + 2;
  const end = lines.findIndex((line, at) => {
    if (at <= head || line.trim() === '' || line.trim().startsWith('#')) return false;
    const indent = indentOf(line);
    return indent < inner || (indent === inner && !line.trimStart().startsWith('-'));
  });
  const at = end < 0 ? lines.length : end;
  const opened = lines.map((line, place) => (place === head ? line.replace(/\s*\[\s*\]/, '') : line));
  const made = snippet(kind, id, ' '.repeat(inner));
  return { yaml: `${[...opened.slice(0, at), ...made, ...opened.slice(at)].join('\n')}\n`, line: at + 1 };
}
