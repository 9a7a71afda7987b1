import { useEffect } from 'react';
import { goOnIn, removeSample } from '@/api';
import { tenantSwitch } from '@/shared/tenantSwitch';
import { createStore } from '@/shared/store';
import { instanceInFront } from '@/shared/place';

/** The channel on which pages of one browser announce that its cookie is of another tenant now. */
const name = 'quarterdeck.tenant';

/** Whether the page is about to reload for another tenant: it shows and requests nothing any more. */
export const leaving = createStore(false);

let channel: BroadcastChannel | undefined;
/** One channel per page, because a sender does not receive its own messages. */
const others = () => (channel ??= new BroadcastChannel(name));

/**
 * Brings another tenant of the person to the front, on its overview.
 *
 * Like another instance it is another load of the page, so nothing of one tenant is ever in memory beside another. Pages of this browser in other tabs follow: they have the same cookie.
 */
export async function switchTenant(tenant: string): Promise<void> {
  await goOnIn(tenant);
  others().postMessage(tenant);
  leave();
}

/** Progress of the work in the other tenant before its first page opens, or the error. */
export const switchProgress = createStore<{ text: string; failure: string | null; page: string } | null>(null);

/**
 * Goes on in another tenant, does `work` there, and opens `page`. Nothing is shown or asked meanwhile: the session is of that tenant already, and the
 * pages in memory are of the one before.
 */
export async function switchWith(
  tenant: string,
  page: string,
  work: (say: (text: string) => void) => Promise<void>,
): Promise<void> {
  await goOnIn(tenant);
  others().postMessage(tenant);
  switchProgress.set({ text: 'Opening the other tenant', failure: null, page });
  leaving.set(true);
  try {
    await work((text) => {
      switchProgress.set({ text, failure: null, page });
    });
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    switchProgress.set((before) => before && { ...before, failure });
    return;
  }
  window.location.replace(page);
}

tenantSwitch.set({ to: switchTenant, with: switchWith });

/** Returns to the tenant `home` and removes the current sample data. */
export async function removeSampleFrom(home: string): Promise<void> {
  await goOnIn(home);
  others().postMessage(home);
  // The session is in the other tenant already: the page is left in any case, and the first page there offers the removal again.
  try {
    await removeSample();
  } finally {
    leave();
  }
}

function leave(): void {
  leaving.set(true);
  // A desktop's question stays; every other page may show a row that the other tenant does not have.
  const { pathname, search } = window.location;
  window.location.replace(pathname === '/device' ? pathname + search : '/overview');
}

/** Reloads when another tab of this browser has switched from the tenant `shown`; undefined if there is only one tenant. */
export function useTenantNews(shown: string | undefined): void {
  useEffect(() => {
    // An instance elsewhere is signed in to by this computer, not by the browser's cookie.
    if (instanceInFront || shown === undefined) return;
    const hear = ({ data }: MessageEvent<unknown>) => {
      if (data !== shown) leave();
    };
    // A page restored from the back-forward cache missed the message.
    const wake = ({ persisted }: PageTransitionEvent) => {
      if (persisted) window.location.reload();
    };
    const tabs = others();
    tabs.addEventListener('message', hear);
    window.addEventListener('pageshow', wake);
    return () => {
      tabs.removeEventListener('message', hear);
      window.removeEventListener('pageshow', wake);
    };
  }, [shown]);
}
