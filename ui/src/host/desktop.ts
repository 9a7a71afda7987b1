import { browser } from './browser';
import type { Host } from './host';

/**
 * The window of the shell: a web view on the loopback service, so downloads and the clipboard work as in a browser.
 *
 * What only a window does is asked of the service over HTTP (`api/host.ts`); the shell tells the page by events.
 */
export const desktop: Host = {
  ...browser,
  kind: 'desktop',
  openOutside: (address) => {
    // The shell hands other addresses over and stays where it is. (A second window needs a press just now, and an answer came in between.)
    window.location.assign(address);
  },
  listen(event, listener) {
    const heard = (told: Event) => {
      listener(told instanceof CustomEvent && typeof told.detail === 'string' ? told.detail : '');
    };
    window.addEventListener(`quarterdeck:${event}`, heard);
    return () => {
      window.removeEventListener(`quarterdeck:${event}`, heard);
    };
  },
};
