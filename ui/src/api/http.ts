import { serviceAddress } from '@/shared/place';
import { noteCopy } from './offline';
import { ApiError, isOfGateway } from './error';
import { parseExact } from './json';
import { noAnswer } from './silence';

/** A raw response. */
interface Answer {
  status: number;
  text: string;
  /** When the copy was stored, if the instance is unreachable and a copy was returned. */
  copy: string | null;
}

interface Failure {
  error?: string;
  message?: string;
  description?: string;
  errors?: { message: string }[];
}

/** The body of a response: a JSON value, null if it is empty, undefined if it is not JSON. */
function read(text: string): unknown {
  if (!text) return null;
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

/** One call of the instance in front; the session cookie travels by itself. Throws `ApiError`. */
export function call<T>(path: string, init: RequestInit = {}): Promise<T> {
  return callHere<T>(serviceAddress(path), init);
}

/** One call of the service of this computer, whichever instance is in front. Throws `ApiError`. */
export async function callHere<T>(path: string, init: RequestInit = {}): Promise<T> {
  const { body, copy } = await callApart<T>(path, init);
  if (copy !== null) noteCopy(copy);
  return body;
}

/**
 * The same for what stands beside the instance in front: where the answer is a copy, `copy` tells when it was kept, and the page around it is not said to
 * be one. Throws `ApiError`.
 */
export async function callApart<T>(path: string, init: RequestInit = {}): Promise<{ body: T; copy: string | null }> {
  const { status, text, copy } = await fetched(path, init);
  const body = read(text);
  const isGood = status >= 200 && status < 300;
  if (isGood && body !== undefined) return { body: body as T, copy };
  if (isGood) throw new ApiError('not_json', 'The service returned a response that is not JSON.', status, path);
  const failure = (body ?? {}) as Failure;
  const message = failure.message ?? failure.description ?? failure.errors?.[0]?.message;
  if (isOfGateway(status, failure.error)) {
    throw new ApiError('offline', notAvailable(status), status, path, { ...failure });
  }
  const code = failure.error ?? (status === 401 ? 'not_authenticated' : `http_${String(status)}`);
  // The message of the service for unauthenticated requests is meant for programs.
  const words =
    code === 'not_authenticated' ? sessionOver : (message ?? `The service returned status ${String(status)}.`);
  throw new ApiError(code, words, status, path, { ...failure });
}

/** Shown after signing in again: until then the page is hidden. */
const sessionOver = 'Your session had ended, so nothing was changed. Try again.';

function notAvailable(status: number): string {
  return `The service is not available right now (${String(status)}), for example while it restarts. The page loads its data as soon as the service responds.`;
}

async function fetched(path: string, init: RequestInit): Promise<Answer> {
  let answer: Response;
  try {
    answer = await fetch(path, { credentials: 'same-origin', ...init });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw noAnswer(path);
  }
  const copy = answer.headers.get('x-quarterdeck-copy');
  return { status: answer.status, text: await answer.text(), copy };
}

/** Sends JSON and reads JSON. */
export function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return send<T>('POST', path, body, signal);
}

export function send<T>(method: 'POST' | 'PUT', path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return sendHere<T>(method, serviceAddress(path), body, signal);
}

/** Sends JSON to the service of this computer. */
export function sendHere<T>(
  method: 'POST' | 'PUT' | 'PATCH',
  path: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<T> {
  return callHere<T>(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
}
