import { act, render, screen } from '@testing-library/react';
import { Suspense, lazy } from 'react';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.useRealTimers();
});

test('a part of a page that takes its time on a busy machine is waited for', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const Late = lazy(
    () =>
      new Promise<{ default: () => string }>((resolve) => {
        setTimeout(resolve, 5_000, { default: () => 'here' });
      }),
  );
  render(
    <Suspense>
      <Late />
    </Suspense>,
  );
  const found = screen.findByText('here');
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(await found).toBeTruthy();
});
