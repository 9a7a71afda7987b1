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

/** Maximum time a page waits for responses, in ms; then it renders with the data it has. */
const patience = 400;

/** Requests the data that every page needs while its code loads; resolves with the last response or after the time limit. */
export async function prefetch(client: QueryClient): Promise<void> {
  // The page for signing in spends the code of a link itself.
  if (window.location.pathname === '/sign-in') return;
  const late = new Promise<void>((resolve) => setTimeout(resolve, patience));
  const answered = signedIn(client).then((session) => session && everything(client, session));
  // The page retries and shows the error.
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

/** The signed-in user; signs in with the code of a one-time link if the address has one. */
async function signedIn(client: QueryClient): Promise<Session | null | undefined> {
  const code = codeOfLink();
  const session = code === null ? null : await followLink(code);
  if (session) client.setQueryData(sessionKey, session);
  // A code that was used before must not sign out a user with a session.
  else await client.prefetchQuery(sessionOptions);
  return client.getQueryData<Session | null>(sessionKey);
}
