import { instanceInFront, pageIn, pagesBase } from '@/shared/place';

/**
 * Brings another instance to the front, on the same page; `null` is this computer.
 *
 * The page loads anew: what it held of the one before is gone with it. What is open on a page (a row, a filter) belongs to the one it was opened in.
 */
export function switchTo(instance: string | null): void {
  if (instance === instanceInFront) return;
  const path = window.location.pathname.slice(pagesBase.length);
  window.location.assign(pageIn(instance, path === '/' || path === '' ? '/overview' : path));
}
