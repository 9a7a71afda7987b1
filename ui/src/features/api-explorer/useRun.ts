import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { sessionKey } from '@/api';
import { readAnswer } from './answer';
import type { ReadAnswer } from './answer';
import { ask, bodyOf } from './ask';
import type { Draft } from './library';

/** Runs one query at a time; a new run or `stop` ends the one before. */
export function useRun(onAnswer: (draft: Draft, answer: ReadAnswer) => void) {
  const client = useQueryClient();
  const current = useRef<AbortController | null>(null);
  const [running, setRunning] = useState(false);
  const stop = () => {
    current.current?.abort();
    current.current = null;
    setRunning(false);
  };
  const run = async (draft: Draft, operationName: string | undefined) => {
    stop();
    const controller = new AbortController();
    current.current = controller;
    setRunning(true);
    try {
      const answer = readAnswer(await ask(bodyOf(draft.query, draft.variables, operationName), controller.signal));
      onAnswer(draft, answer);
      // The session has ended: reloading it shows the sign-in page.
      if (answer.status === 401) await client.invalidateQueries({ queryKey: sessionKey });
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
    } finally {
      if (current.current === controller) {
        current.current = null;
        setRunning(false);
      }
    }
  };
  return { running, run, stop };
}
