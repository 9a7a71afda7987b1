import type { Json } from '@/api';
import { withField } from '../pin';
import { yamlOf } from './yamlOf';

/** A parameter of a kind of task, as its schema tells it. */
export interface Parameter {
  name: string;
  /** string, number, integer, boolean, object, array or any; several with `or` between. */
  type: string;
  about: string;
  isNeeded: boolean;
  /** What it may be, where that is a list of words. */
  options: readonly string[];
}

type Fields = { [key: string]: Json };

function fields(value: Json | undefined): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** The type that a schema names, or those. */
function kindOf(type: Json | undefined): string {
  if (typeof type === 'string') return type;
  const kinds = (Array.isArray(type) ? type : []).filter((one) => typeof one === 'string');
  return kinds.length === 0 ? 'any' : kinds.join(' or ');
}

/** The parameters of a kind of task, those it needs first. */
export function parametersOf(schema: Json): Parameter[] {
  const { required, properties } = fields(schema);
  const needed = Array.isArray(required) ? required : [];
  const all = Object.entries(fields(properties)).map(([name, about]): Parameter => {
    const { type, description, enum: options } = fields(about);
    return {
      name,
      type: kindOf(type),
      about: typeof description === 'string' ? description : '',
      isNeeded: needed.includes(name),
      options: (Array.isArray(options) ? options : []).filter((one) => typeof one === 'string'),
    };
  });
  return [...all.filter(({ isNeeded }) => isNeeded), ...all.filter(({ isNeeded }) => !isNeeded)];
}

/** The parameters that a task of the definition is given. */
export function givenTo(definition: Json, task: string): Fields {
  const tasks = fields(definition)['tasks'];
  const found = (Array.isArray(tasks) ? tasks : []).map(fields).find((one) => one['id'] === task);
  return fields(found?.['params']);
}

/** How a value stands in a field: texts as they are, everything else as JSON. */
export function typedOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What was typed, as its type; a template stays a text. Undefined where nothing was typed. */
export function valueOf({ type }: Parameter, typed: string): Json | undefined {
  if (typed.trim() === '') return undefined;
  if (type === 'string' || typed.includes('{{')) return typed;
  try {
    return JSON.parse(typed) as Json;
  } catch {
    return typed;
  }
}

/** The text with other parameters of one of its tasks; undefined where it has no such task. Parameters that the form does not have stay. */
export function withParams(yaml: string, task: string, params: Fields): string | undefined {
  const lines =
    Object.keys(params).length === 0
      ? []
      : [
          'params:',
          ...yamlOf(params)
            .trimEnd()
            .split('\n')
            .map((line) => `  ${line}`),
        ];
  return withField(yaml, task, 'params', lines, 'type');
}
