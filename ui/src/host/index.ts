/**
 * The surroundings, chosen once. Use `host.saveFile` for exports and `host.copy` for copy buttons; ask `host.kind` only for wording.
 */
import { browser } from './browser';
import { desktop } from './desktop';
import type { Host } from './host';

export const host: Host = window.__QUARTERDECK_HOST__ === 'desktop' ? desktop : browser;

/** Whether drop targets on a page accept files: the desktop window imports all dropped files itself. */
export const takesDrops = host.kind === 'browser';

export type { Host };
