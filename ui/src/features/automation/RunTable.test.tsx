import { render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Run, RunWithTasks } from './queries';
import { RunTable } from './RunTable';
import { RunView } from './RunView';

afterEach(() => {
  vi.restoreAllMocks();
});

const run = {
  id: 'r',
  status: 'FAILED',
  start_time: '2026-11-01T00:00:00Z',
  close_time: '2026-11-01T00:00:20Z',
  trigger_type: 'schedule',
  triggered_by: null,
  waits_for: null,
} as Run;

function heads(): string[] {
  render(<RunTable runs={[run]} people={new Map()} open={undefined} onOpen={() => undefined} />);
  return within(screen.getByRole('table'))
    .getAllByRole('columnheader')
    .map((head) => head.textContent.trim());
}

test('the table of runs has what fits a phone, and more where there is room', () => {
  expect(heads()).toEqual(['Started', 'Result', 'Duration', 'Started by']);
});

test('on a phone it says when a run began and how it ended', () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ ...window.matchMedia('(max-width: 760px)'), matches: true });
  expect(heads()).toEqual(['Started', 'Result']);
});

test('why a run failed is a sentence', () => {
  const failed = {
    ...run,
    error: 'no answer from https://shop.example within 20 s',
    tasks: [],
    inputs: null,
    output: null,
  };
  render(<RunView run={failed as unknown as RunWithTasks} onTask={() => undefined} />);
  expect(screen.getByText('No answer from https://shop.example within 20 s')).toBeTruthy();
});
