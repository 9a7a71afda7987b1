import { serviceAddress } from '@/shared/place';

/** The result of one run, as text, so that no digit is lost. */
export interface Answer {
  /** HTTP status; 0 when the service could not be reached. */
  status: number;
  text: string;
  ms: number;
  /** Of the body, in UTF-8. */
  bytes: number;
}

/** Why variables cannot be sent. Undefined: they are empty or a JSON object. */
export function faultOfVariables(variables: string): string | undefined {
  if (!variables.trim()) return undefined;
  try {
    const read = JSON.parse(variables) as unknown;
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return undefined;
    return 'Variables are one JSON object, for example { "from": "2026-11-01T00:00:00" }.';
  } catch (error) {
    return `Variables are not JSON: ${(error as Error).message}`;
  }
}

/** The body of a request. Variables go in as they were typed: a number with 30 digits arrives with 30 digits. */
export function bodyOf(query: string, variables: string, operationName: string | undefined): string {
  const parts = [`"query":${JSON.stringify(query)}`];
  if (variables.trim()) parts.push(`"variables":${variables.trim()}`);
  if (operationName !== undefined) parts.push(`"operationName":${JSON.stringify(operationName)}`);
  return `{${parts.join(',')}}`;
}

/** Sends the query with the user's session. Throws only `AbortError`: every response is shown. */
export async function ask(body: string, signal: AbortSignal): Promise<Answer> {
  const began = performance.now();
  try {
    const answer = await fetch(serviceAddress('/api/graphql'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      credentials: 'same-origin',
      body,
      signal,
    });
    const held = await answer.arrayBuffer();
    const ms = performance.now() - began;
    return { status: answer.status, text: new TextDecoder().decode(held), ms, bytes: held.byteLength };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    return { status: 0, text: '', ms: performance.now() - began, bytes: 0 };
  }
}
