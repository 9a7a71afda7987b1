import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { windowName } from '../windowName';
import { Page } from './Page';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the name of the window follows a page when that is painted, and no page that was left before', () => {
  document.title = 'before';
  const { unmount } = render(<Page title="Explorer">costs</Page>);
  expect(document.title).toBe('before');
  unmount();
  render(<Page title="Overview">all</Page>);
  vi.runAllTimers();
  expect(document.title).toBe('Overview · Quarterdeck');
});

test('the name of the window tells which instance elsewhere is in front, as soon as that is known', () => {
  render(<Page title="Overview">all</Page>);
  act(() => {
    windowName.set('Plant · Quarterdeck');
  });
  vi.runAllTimers();
  expect(document.title).toBe('Overview · Plant · Quarterdeck');
});
