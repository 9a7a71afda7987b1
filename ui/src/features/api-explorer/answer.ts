import { noAnswer } from '@/api';
import { of, plain, readExact } from './json';
import type { Answer } from './ask';
import type { Exact } from './json';

/** An error for display: message, location, and machine-readable code. */
export interface Fault {
  message: string;
  /** `spends.0.billed_cost`: the place in the answer. */
  path?: string;
  code?: string;
  /** In the query, counted from 1. */
  line?: number;
  column?: number;
}

/** Longer responses are shown unformatted: parsing and indenting them would block the page for seconds. */
const readLength = 20_000_000;

export interface ReadAnswer extends Answer {
  /** Undefined if it is not JSON or too long to parse. */
  value: Exact | undefined;
  faults: readonly Fault[];
}

export function readAnswer(answer: Answer): ReadAnswer {
  const value = answer.text.length <= readLength ? readExact(answer.text) : undefined;
  return { ...answer, value, faults: faultsOf(answer, value) };
}

function faultsOf(answer: Answer, value: Exact | undefined): readonly Fault[] {
  if (answer.status === 0) return [{ message: noAnswer('/api/graphql').message }];
  const errors = of(value, 'errors');
  if (errors?.kind === 'list' && errors.items.length > 0) return errors.items.map(faultOf);
  if (answer.status < 400) return [];
  const code = textOf(of(value, 'error'));
  const message = textOf(of(value, 'message')) ?? textOf(of(value, 'description'));
  return [{ message: message ?? `The service returned status ${String(answer.status)}.`, ...(code ? { code } : {}) }];
}

function faultOf(error: Exact): Fault {
  const code = textOf(of(error, 'extensions', 'code'));
  const extended = of(error, 'extensions', 'path');
  const path = pathOf(of(error, 'path')) ?? (extended?.kind === 'list' ? pathOf(extended) : textOf(extended));
  const locations = of(error, 'locations');
  const place = locations?.kind === 'list' ? locations.items[0] : undefined;
  const [line, column] = [of(place, 'line'), of(place, 'column')].map((at) => Number(textOf(at)));
  return {
    message: textOf(of(error, 'message')) ?? 'Error without a message.',
    ...(path && path !== '$' ? { path } : {}),
    ...(code ? { code } : {}),
    ...(line && column ? { line, column } : {}),
  };
}

function pathOf(path: Exact | undefined): string | undefined {
  return path?.kind === 'list' ? path.items.map(textOf).join('.') : undefined;
}

function textOf(value: Exact | undefined): string | undefined {
  if (!value || value.kind === 'object' || value.kind === 'list' || value.text === 'null') return undefined;
  return plain(value.text);
}
