import type { Json } from '@/api';
import type { Step } from '../graph';
import type { InputField } from '../inputs';
import { triggersWords } from '../trigger';
import type { DefinitionRequest } from './queries';

type Fields = { [key: string]: Json };

function fields(value: Json | undefined): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function text(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** The tasks of a definition that is being written, as far as they are there. */
export function stepsOf(definition: Json): Step[] {
  const tasks = list(fields(definition)['tasks']).map(fields);
  return tasks.flatMap((task): Step[] => {
    const id = text(task['id']);
    if (id === null || id === '') return [];
    const params = task['params'] ?? null;
    const inside = [...list(task['tasks']), ...list(fields(params)['tasks'])];
    return [
      {
        id,
        type: text(task['type']) ?? '',
        dependsOn: list(task['depends_on']).filter((one) => typeof one === 'string'),
        params,
        inner: inside.length,
      },
    ];
  });
}

/** The triggers of a definition, in words. */
export function startsOf(definition: Json): string {
  const triggers = list(fields(definition)['triggers']).map(fields);
  return triggersWords(triggers.map((one) => ({ type: text(one['type']) ?? '', params: one['params'] ?? null })));
}

/** The inputs of a definition. */
export function inputsOf(definition: Json): InputField[] {
  return list(fields(definition)['inputs'])
    .map(fields)
    .flatMap((one): InputField[] => {
      const id = text(one['id']);
      const value = one['default'];
      const shown =
        value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);
      return id === null
        ? []
        : [{ id, type: text(one['type']), default: shown, description: text(one['description']) }];
    });
}

const known = {
  definition: ['hooks', 'inputs', 'output', 'retry_policy', 'tasks', 'timeout', 'triggers', 'version'],
  task: [
    'depends_on',
    'failure_policy',
    'hooks',
    'id',
    'if',
    'matrix',
    'params',
    'pinned_output',
    'set_state',
    'set_vars',
    'tasks',
    'timeout',
    'type',
  ],
} as const;

function pick(from: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}

function taskRequest(task: Json): Json {
  const { tasks, ...rest } = pick(fields(task), known.task);
  return tasks === undefined ? rest : { ...rest, tasks: list(tasks).map(taskRequest) };
}

/** A definition as a dry run request, without canvas positions and similar fields. */
export function requestOf(definition: Json): DefinitionRequest {
  const { tasks, triggers, ...rest } = pick(fields(definition), known.definition);
  return {
    ...rest,
    triggers: list(triggers).map((one) => pick(fields(one), ['type', 'params'])),
    tasks: list(tasks).map(taskRequest),
  } as unknown as DefinitionRequest;
}

/** The line of an error message, from 1; undefined if it has none. */
export function lineOf(mistake: string, yaml: string, definition: Json): number | undefined {
  const told = /^line (\d+):/.exec(mistake)?.[1];
  if (told !== undefined) return Number(told);
  const [, part, number] = /^(tasks|inputs)\[(\d+)\]/.exec(mistake) ?? [];
  const lines = yaml.split('\n');
  const at = (test: (line: string) => boolean) => {
    const found = lines.findIndex(test);
    return found < 0 ? undefined : found + 1;
  };
  if (part !== undefined) {
    const id = text(fields(list(fields(definition)[part])[Number(number)])['id']);
    if (id !== null && id !== '') {
      const line = at((one) => new RegExp(`^[\\s-]*id:\\s*["']?${escaped(id)}["']?\\s*(#.*)?$`).test(one));
      if (line !== undefined) return line;
    }
  }
  const [, name] = /^([a-z_]+)/.exec(mistake) ?? [];
  return name === undefined ? undefined : at((one) => new RegExp(`^\\s*${name}:`).test(one));
}

/** A text as a regular expression that means it to the letter. */
function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
