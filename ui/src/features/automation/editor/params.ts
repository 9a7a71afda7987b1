import type { Json } from '@/api';
import { withField } from '../pin';
import { yamlOf } from './yamlOf';

/** A parameter of a task type, from its schema. */
export interface Parameter {
  name: string;
  /** string, number, integer, boolean, object, array or any; several with `or` between. */
  type: string;
  about: string;
  isNeeded: boolean;
  /** The allowed values, if it is an enumeration. */
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

/** The parameters set on a task of the definition. */
export function givenTo(definition: Json, task: string): Fields {
  const tasks = fields(definition)['tasks'];
  const found = (Array.isArray(tasks) ? tasks : []).map(fields).find((one) => one['id'] === task);
  return fields(found?.['params']);
}

/** A value as field text: strings unchanged, other values as JSON. */
export function typedOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The typed value by its type; a template stays text. Undefined if the field is empty. */
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
