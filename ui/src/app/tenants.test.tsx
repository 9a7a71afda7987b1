import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const instance = '1b4e28ba-2fa1-41d2-883f-0016d3cca427';
let tabs: EventTarget;

beforeEach(() => {
  vi.stubGlobal(
    'BroadcastChannel',
    class extends EventTarget {
      constructor() {
        super();
        // eslint-disable-next-line @typescript-eslint/no-this-alias -- the test speaks as the other tabs
        tabs = this;
      }
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** A page that shows `home`, at that address. */
async function page(address: string, shown: string | undefined) {
  vi.resetModules();
  window.history.replaceState(null, '', address);
  tabs = new EventTarget();
  const { leaving, useTenantNews } = await import('./tenants');
  const { unmount } = renderHook(() => {
    useTenantNews(shown);
  });
  const say = (data: string) => tabs.dispatchEvent(new MessageEvent('message', { data }));
  return { leaving, unmount, say };
}

test('a page leaves when another tab has gone on in another tenant, and only then', async () => {
  const { leaving, say } = await page('/costs/explorer', 'home');
  say('home');
  expect(leaving.get()).toBe(false);
  say('umbrella');
  expect(leaving.get()).toBe(true);
});

test('a page of an instance elsewhere stays: the cookie of the browser is not its key', async () => {
  const { leaving, say } = await page(`/i/${instance}/overview`, 'home');
  say('umbrella');
  expect(leaving.get()).toBe(false);
});

test('a page that is gone hears nothing', async () => {
  const { leaving, say, unmount } = await page('/overview', 'home');
  unmount();
  say('umbrella');
  expect(leaving.get()).toBe(false);
});
