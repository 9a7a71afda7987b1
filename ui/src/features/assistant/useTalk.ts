import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError } from '@/api';
import { sentence } from './answer';
import type { Reference } from './reference';
import { ask } from './stream';
import type { StreamEvent } from './stream';
import type { Exchange, Model, SentLine } from './types';

const nothing: Exchange = { question: '', answer: '', steps: [], references: [], unproved: [], state: 'writing' };

/** Applies a stream event to an exchange. */
function heard(exchange: Exchange, told: StreamEvent): Exchange {
  switch (told.kind) {
    case 'looking':
      return { ...exchange, steps: [...exchange.steps, { title: told.title }] };
    case 'looked': {
      const { error, title } = told;
      const evidence = told.id ? (told as Exchange['references'][number]) : undefined;
      const step = {
        title: evidence?.title ?? title,
        ...(evidence ? { rows: evidence.rows, evidence } : {}),
        ...(error ? { error } : {}),
      };
      return {
        ...exchange,
        steps: [...exchange.steps.slice(0, -1), step],
        references: evidence ? [...exchange.references, evidence] : exchange.references,
      };
    }
    case 'text':
      return { ...exchange, answer: exchange.answer + told.text };
    case 'again':
      return { ...exchange, answer: '' };
    case 'answer':
      return {
        ...exchange,
        answer: told.response,
        references: told.references,
        unproved: told.unproved,
        state: 'done',
        ...(told.status_reason ? { error: sentence(told.status_reason) } : {}),
      };
    case 'error':
      return {
        ...exchange,
        state: told.error === 'stopped' ? 'stopped' : 'failed',
        error: sentence(told.message),
        code: told.error,
      };
    default:
      return exchange;
  }
}

/** One answer at a time: asking, hearing, stopping. */
export function useTalk(account: string | undefined, onBegun: (conversation: string) => void) {
  const client = useQueryClient();
  const [now, setNow] = useState<Exchange | null>(null);
  const [sent, setSent] = useState<SentLine[]>([]);
  const stopper = useRef<AbortController | null>(null);
  const start = async (
    message: string,
    conversation: string | undefined,
    model: Model | undefined,
    references: readonly Reference[] = [],
  ) => {
    if (!account) return;
    const control = new AbortController();
    stopper.current = control;
    setSent([]);
    setNow({ ...nothing, question: message });
    const hear = (told: StreamEvent) => {
      if (told.kind === 'begun') onBegun(told.conversation_id);
      if (told.kind === 'sent') setSent((lines) => [...lines, told]);
      setNow((exchange) => exchange && heard(exchange, told));
    };
    try {
      await ask(
        { account_id: account, conversation_id: conversation, message, references, ...model },
        hear,
        control.signal,
      );
    } catch (error) {
      const isStopped = error instanceof DOMException && error.name === 'AbortError';
      setNow(
        (exchange) =>
          exchange && {
            ...exchange,
            state: isStopped ? 'stopped' : 'failed',
            ...(error instanceof ApiError ? { error: sentence(error.message), code: error.code } : {}),
          },
      );
    }
    stopper.current = null;
    await client.invalidateQueries({ queryKey: ['graphql'] });
  };
  const stop = () => {
    stopper.current?.abort();
  };
  const clear = () => {
    stop();
    setNow(null);
    setSent([]);
  };
  return { now, sent, start, stop, clear };
}
