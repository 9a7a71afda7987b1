import { afterEach, expect, test, vi } from 'vitest';
import { followOpenedLinks } from './openedLinks';

afterEach(() => {
  window.history.replaceState(null, '', '/');
});

const paste = (hash: string) => {
  window.history.replaceState(null, '', `/overview#${hash}`);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
};

test('a one-time link pasted into the tab of a page that is open opens it anew, with its code', () => {
  const reload = vi.fn(() => window.location.hash);
  const stop = followOpenedLinks(reload);
  paste('main');
  expect(reload).not.toHaveBeenCalled();
  paste('code=abc');
  expect(reload.mock.results).toMatchObject([{ value: '#code=abc' }]);
  stop();
  paste('code=def');
  expect(reload).toHaveBeenCalledTimes(1);
});
