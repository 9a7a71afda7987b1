import { ApiError, noAnswer } from '@/api';
import { serviceAddress } from '@/shared/place';
import type { Reference } from './reference';
import type { Evidence, Model, SentLine, UnprovedSentence } from './types';

/** One event of a streamed answer. */
export type StreamEvent =
  | { kind: 'begun'; conversation_id: string; title: string }
  | { kind: 'looking'; title: string }
  | ({ kind: 'looked'; error?: string } & Partial<Evidence> & { title: string })
  | ({ kind: 'sent' } & SentLine)
  | { kind: 'text'; text: string }
  | { kind: 'again' }
  | {
      kind: 'answer';
      conversation_id: string;
      message_id: string;
      response: string;
      references: Evidence[];
      unproved: UnprovedSentence[];
      status: string;
      status_reason?: string | null;
    }
  | { kind: 'error'; error: string; message: string };

/** The complete events in a piece of text, and the remaining text. */
export function eventsIn(text: string): { events: StreamEvent[]; rest: string } {
  const parts = text.split('\n\n');
  const rest = parts.pop() ?? '';
  const events = parts.flatMap((part) => {
    const lines = part.split('\n');
    const kind = lines
      .find((line) => line.startsWith('event:'))
      ?.slice(6)
      .trim();
    const data = lines
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trimStart())
      .join('\n');
    // Comment lines only keep the connection open.
    if (!kind || !data) return [];
    return [{ ...(JSON.parse(data) as object), kind } as StreamEvent];
  });
  return { events, rest };
}

/** Sends a question and passes the streamed answer on until its end. Aborting stops the model. Throws `ApiError`. */
export async function ask(
  question: {
    account_id: string;
    conversation_id?: string | undefined;
    message: string;
    references?: readonly Reference[];
  } & Partial<Model>,
  hear: (told: StreamEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const path = serviceAddress('/api/assistant/ask');
  const answer = await fetch(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
    signal,
  }).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw noAnswer(path);
  });
  if (!answer.ok || !answer.body) {
    const body = (await answer.json().catch(() => ({}))) as { error?: string; message?: string };
    const words = body.message ?? `The service returned status ${String(answer.status)}.`;
    throw new ApiError(body.error ?? `http_${String(answer.status)}`, words, answer.status, path);
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const { events, rest } = eventsIn(text + value);
    text = rest;
    for (const event of events) hear(event);
  }
}
