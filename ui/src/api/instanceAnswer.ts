import { serviceAddress } from '@/shared/place';
import { ApiError } from './error';
import { textOf } from './graphql';
import type { Document } from './graphql';
import { callApart } from './http';

/**
 * What one instance answers beside others: an answer, or why there is none. Nothing is thrown, so an instance that is away or asks to be signed in to
 * changes nothing about the one in front.
 */
export type InstanceAnswer<Value> =
  | {
      state: 'answered';
      value: Value;
      /** When the copy was stored, if the instance is unreachable. */
      copy: string | null;
    }
  | { state: 'signed_out' | 'away' | 'lacks' | 'refused' | 'failed'; why: string };

/** The error of a service with another version, or with a role that hides the field. */
const unknown = 'not found in type';

/** Queries one instance over HTTP: this computer if `instance` is null, a remote one through the relay, with the user's permissions there. */
export async function readAtInstance<Value>(
  instance: string | null,
  path: string,
  init: RequestInit = {},
): Promise<InstanceAnswer<Value>> {
  try {
    const { body, copy } = await callApart<Value>(serviceAddress(path, instance), init);
    return { state: 'answered', value: body, copy };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { state: stateOf(error), why: error.message };
  }
}

/** Runs a query at one instance. */
export async function askInstance<Result, Variables>(
  instance: string | null,
  document: Document<Result, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<InstanceAnswer<Result>> {
  const told = await readAtInstance<{ data?: Result | null; errors?: { message: string }[] }>(
    instance,
    '/api/graphql',
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: textOf(document), variables }),
      ...(signal ? { signal } : {}),
    },
  );
  if (told.state !== 'answered') return told;
  const { data, errors = [] } = told.value;
  const [failure] = errors;
  if (failure) return { state: failure.message.includes(unknown) ? 'lacks' : 'failed', why: failure.message };
  if (!data) return { state: 'failed', why: 'The response contains no data.' };
  return { ...told, value: data };
}

function stateOf({ code, status }: ApiError): Exclude<InstanceAnswer<never>['state'], 'answered'> {
  if (['instance_signed_out', 'instance_locked', 'not_authenticated'].includes(code)) return 'signed_out';
  if (code === 'instance_unreachable' || code === 'offline') return 'away';
  return status === 403 ? 'refused' : 'failed';
}
