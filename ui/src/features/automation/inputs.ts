import type { Json } from '@/api';

/** An input of a workflow, as defined. */
export interface InputField {
  id: string;
  type: string | null;
  default: string | null;
  description: string | null;
}

/** A typed input: its value, the default, or the problem. */
export type InputValue = { value: Json } | { problem: string } | 'default';

/** Parses the typed text by the type of the input. Without a type, JSON is parsed and other text is a string. */
export function readInput(field: InputField, typed: string): InputValue {
  if (typed.trim() === '') return 'default';
  switch (field.type) {
    case 'string':
      return { value: typed };
    case 'number':
    case 'float':
    case 'integer':
    case 'int': {
      const number = Number(typed);
      const isWhole = field.type === 'integer' || field.type === 'int';
      if (Number.isNaN(number) || (isWhole && !Number.isInteger(number)))
        return { problem: `Enter ${isWhole ? 'a whole number' : 'a number'}; “${typed}” is none` };
      return { value: number };
    }
    case 'boolean':
    case 'bool':
      if (typed === 'true' || typed === 'false') return { value: typed === 'true' };
      return { problem: `Enter true or false; “${typed}” is neither` };
    default:
      return readDocument(field, typed);
  }
}

function readDocument({ type }: InputField, typed: string): InputValue {
  const isList = type === 'array' || type === 'list';
  const isMap = type === 'object' || type === 'map';
  let value: Json;
  try {
    value = JSON.parse(typed) as Json;
  } catch {
    if (isList || isMap) return { problem: `Enter JSON, for example ${isList ? '["a", "b"]' : '{"key": "value"}'}` };
    return { value: typed };
  }
  if (isList && !Array.isArray(value)) return { problem: 'Enter a list, for example ["a", "b"]' };
  if (isMap && (typeof value !== 'object' || value === null || Array.isArray(value)))
    return { problem: 'Enter an object, for example {"key": "value"}' };
  return { value };
}

/** The inputs of a run from the typed texts, and the problems by name. */
export function readInputs(fields: readonly InputField[], typed: Readonly<Record<string, string>>) {
  const values: Record<string, Json> = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const given = readInput(field, typed[field.id] ?? '');
    if (given === 'default') continue;
    if ('problem' in given) problems[field.id] = given.problem;
    else values[field.id] = given.value;
  }
  return { values, problems };
}
