/**
 * Which instance this page shows, from its address: `/i/{id}/…` is an instance elsewhere, everything else this computer.
 *
 * Decided once, when the page loads. Another instance is another load of the page, so nothing of one is ever in memory beside another: no
 * cache, no store, no request under way can end up in the wrong one.
 */
export function placeOf(pathname: string): { instance: string | null; base: string } {
  const found = /^\/i\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=\/|$)/.exec(pathname);
  return found?.[1] ? { instance: found[1], base: found[0] } : { instance: null, base: '' };
}

const here = placeOf(window.location.pathname);

/** The id of the instance in front; null on this computer. */
export const instanceInFront = here.instance;

/** The prefix of every page's address. */
export const pagesBase = here.base;

/** Where this page was loaded from: this computer, also where the instance in front is elsewhere. No other file reads it. */
export const originHere = window.location.origin;

/** Host and port of an origin, as people read them. */
export function hostOf(origin: string): string {
  return origin.replace(/^https?:\/\//, '');
}

/** The address of the current page for a colleague: at an origin that others can reach, without the instance prefix of this computer. */
export function linkAt(origin: string, { pathname, search, hash } = window.location): string {
  return `${origin}${pathname.slice(placeOf(pathname).base.length)}${search}${hash}`;
}

/** Where the instance in front answers `/api/…`: through the relay of this computer when it is elsewhere. */
export function serviceAddress(path: string, instance: string | null = instanceInFront): string {
  return instance && path.startsWith('/api/') ? `/instances/${instance}${path}` : path;
}

/** Storage key for a value of the current instance, separate from those of other instances. */
export function keptName(name: string, instance: string | null = instanceInFront): string {
  return instance ? `${name}@${instance}` : name;
}

/** The same page of another instance; `null` is this computer. */
export function pageIn(instance: string | null, path: string): string {
  return `${instance ? `/i/${instance}` : ''}${path.startsWith('/') ? path : `/${path}`}`;
}
