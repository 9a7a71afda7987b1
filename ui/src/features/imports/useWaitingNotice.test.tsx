import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { graphql, request } from '@/api';
import { Toasts } from '@/shared/toast';
import { useWaitingNotice, waitingNotice } from './useWaitingNotice';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Notice({ isImporting }: { isImporting: boolean }) {
  useWaitingNotice(isImporting);
  return <Toasts />;
}

const Save = graphql('mutation Save { insert_saved_view_one(object: {}) { id } }');
const Read = graphql('query Read { saved_view { id } }');

/** A service that answers when it is told to. */
function slowService(): () => void {
  let answer: ((response: Response) => void) | undefined;
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (answer = resolve)));
  return () => answer?.(Response.json({ data: {} }));
}

const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time));

test('a change that waits for an import says so until it is made', async () => {
  const answer = slowService();
  render(<Notice isImporting />);
  const saved = request(Save, {});
  await pass(1_900);
  expect(screen.queryByText(waitingNotice)).toBeNull();
  await pass(200);
  expect(screen.getByText(waitingNotice)).toBeTruthy();
  await act(async () => {
    answer();
    await saved;
  });
  expect(screen.queryByText(waitingNotice)).toBeNull();
});

test.each([
  ['a question', () => request(Read, {}), true],
  ['a change without an import', () => request(Save, {}), false],
])('%s says nothing', async (_, send, isImporting) => {
  const answer = slowService();
  render(<Notice isImporting={isImporting} />);
  const sent: Promise<unknown> = send();
  await pass(5_000);
  expect(screen.queryByText(waitingNotice)).toBeNull();
  answer();
  await sent;
});
