import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Toasts } from '@/shared/toast';
import { drawForTest, reportForTest, serviceForTest } from './drawForTest';
import { ImportJobs } from './ImportJobs';
import { works } from './works';

afterEach(() => {
  vi.unstubAllGlobals();
  works.reset();
});

const finished = (id: string, state: 'needs_decision' | 'done') => () =>
  Response.json({
    id,
    file_name: `${id}.csv`,
    size_bytes: 1,
    state,
    progress: null,
    report: reportForTest({ state }),
    file_kept: true,
  });

test('what waits for a decision already is no news of every page, what ends is', async () => {
  const rows = [
    { id: 'waits', file_name: 'waits.csv', size_bytes: 1, state: 'needs_decision' },
    { id: 'runs', file_name: 'runs.csv', size_bytes: 1, state: 'running' },
  ];
  serviceForTest({
    'POST /api/graphql': () => Response.json({ data: { imports: rows } }),
    'GET /api/imports/waits': finished('waits', 'needs_decision'),
    'GET /api/imports/runs': finished('runs', 'done'),
  });
  await drawForTest(
    <>
      <ImportJobs />
      <Toasts />
    </>,
  );
  expect(await screen.findByText(/runs\.csv/)).toBeTruthy();
  await waitFor(() => {
    expect(works.store.get().every(({ phase }) => phase === 'ended')).toBe(true);
  });
  expect(screen.queryByText(/waits\.csv/)).toBeNull();
});
