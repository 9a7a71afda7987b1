import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

afterEach(cleanup);

// The usual second is over before a part that is loaded later has come where the machine is busy.
configure({ asyncUtilTimeout: 20_000 });

// jsdom lays nothing out and has no matchMedia; components only ask whether something matches.
window.matchMedia ??= (query) =>
  ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList;
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
