import { browser } from './browser';
import type { Host } from './host';

/** The window of the shell: a web view on the loopback service, so downloads and the clipboard work as in a browser. */
export const desktop: Host = { ...browser, kind: 'desktop' };
