import type { QueryClient } from '@tanstack/react-query';
import {
  aboutOptions,
  codeOfLink,
  followLink,
  instancesOptions,
  samlHealthOptions,
  sessionKey,
  sessionOptions,
  windowOptions,
} from '@/api';
import type { Session } from '@/api';
import { host } from '@/host';

/** No page waits longer than this for answers, ms: then it comes with what is there. */
const patience = 400;

/** Asks what every page needs while the code of the page is read; resolves with the last answer, or when patience ends. */
export async function prefetch(client: QueryClient): Promise<void> {
  // The page for signing in spends the code of a link itself.
  if (window.location.pathname === '/sign-in') return;
  const late = new Promise<void>((resolve) => setTimeout(resolve, patience));
  const answered = signedIn(client).then((session) => session && everything(client, session));
  // The page asks again and tells what went wrong.
  await Promise.race([late, answered]).catch(() => undefined);
}

function everything(client: QueryClient, session: Session): Promise<unknown> {
  return Promise.allSettled([
    client.prefetchQuery(aboutOptions(session)),
    client.prefetchQuery(instancesOptions),
    ...(host.kind === 'desktop'
      ? [client.prefetchQuery(windowOptions), client.prefetchQuery(samlHealthOptions(null))]
      : []),
  ]);
}

/** Who is signed in; by the code of a one-time link where the address carries one. */
async function signedIn(client: QueryClient): Promise<Session | null | undefined> {
  const code = codeOfLink();
  const session = code === null ? null : await followLink(code);
  if (session) client.setQueryData(sessionKey, session);
  // A code that was used before is no reason to send away whoever is signed in already.
  else await client.prefetchQuery(sessionOptions);
  return client.getQueryData<Session | null>(sessionKey);
}
