import { useEffect } from 'react';
import { goOnIn, removeSample } from '@/api';
import { tenantSwitch } from '@/shared/tenantSwitch';
import { createStore } from '@/shared/store';
import { instanceInFront } from '@/shared/place';

/** On which pages of one browser tell each other that its cookie is of another tenant now. */
const name = 'quarterdeck.tenant';

/** The page is about to load anew, for another tenant: it shows nothing and asks nothing any more. */
export const leaving = createStore(false);

let channel: BroadcastChannel | undefined;
/** One for a page: who tells does not hear it. */
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

/** What is done in the other tenant before its first page opens, or why it could not be done. */
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

/** Goes back to the tenant `home`, and removes the sample data that was in front. */
export async function removeSampleFrom(home: string): Promise<void> {
  await goOnIn(home);
  others().postMessage(home);
  // The session is in the other tenant already: the page is left whatever comes of it, and the first page there offers it again.
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

/** Follows when another tab of this browser has gone on in another tenant than `shown`; undefined where there is but one. */
export function useTenantNews(shown: string | undefined): void {
  useEffect(() => {
    // An instance elsewhere is signed in to by this computer, not by the browser's cookie.
    if (instanceInFront || shown === undefined) return;
    const hear = ({ data }: MessageEvent<unknown>) => {
      if (data !== shown) leave();
    };
    // A page that the browser kept whole was not there to hear it.
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
