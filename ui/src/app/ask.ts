/**
 * What the first page asks, asked before there is a page: while its code is read the service answers, and the page is drawn once, with its
 * figures, and not grey first.
 *
 * Which questions those are the window remembers from its last start: their texts and variables, never an answer. A question that the page
 * asks otherwise this time is simply asked then.
 */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import {
  aboutOptions,
  askedBy,
  followLink,
  instancesOptions,
  request,
  sessionKey,
  sessionOptions,
  windowOptions,
} from '@/api';
import type { Session } from '@/api';
import { takeCode } from '@/features/sign-in/code';
import { host } from '@/host';
import { instanceInFront } from '@/shared/place';

/** Where the questions are kept, with the page they belong to. */
const name = 'quarterdeck.first';
/** No page waits longer than this for answers, ms: then it comes with what is there. */
const patience = 400;
/** When the first page has asked all it asks, ms after it was shown. */
const settled = 1_500;
/** So many letters of questions are kept at most. */
const most = 300_000;

/** The two ends of asking; each comes when patience ends, at the latest. */
export interface Asked {
  /** All questions are on their way: the rest can be done while they are answered. */
  sent: Promise<void>;
  answered: Promise<void>;
}

/** Asks the questions. */
export function ask(client: QueryClient): Asked {
  if (window.location.pathname === '/sign-in') return { sent: Promise.resolve(), answered: Promise.resolve() };
  const late = new Promise<void>((resolve) => setTimeout(resolve, patience));
  const sent = signedIn(client).then((session) => ({ answers: session ? everything(client, session) : null }));
  const answered = sent.then(({ answers }) => answers);
  // What went wrong is told by the page: it asks again.
  const inTime = (end: Promise<unknown>) => Promise.race([late, end]).catch(() => undefined) as Promise<void>;
  return { sent: inTime(sent), answered: inTime(answered) };
}

function everything(client: QueryClient, session: Session): Promise<unknown> {
  return Promise.allSettled([
    client.prefetchQuery(aboutOptions(session)),
    client.prefetchQuery(instancesOptions),
    ...(host.kind === 'desktop' ? [client.prefetchQuery(windowOptions)] : []),
    ...remembered().flatMap((queryKey) => {
      const asked = askedBy(queryKey);
      if (!asked) return [];
      return client.prefetchQuery({
        queryKey,
        queryFn: ({ signal }) => request(asked.document, asked.variables, signal),
      });
    }),
  ]);
}

/** Who is signed in; by the code of a one-time link where the address carries one. */
async function signedIn(client: QueryClient): Promise<Session | null | undefined> {
  const code = takeCode();
  const session = code === null ? null : await followLink(code);
  if (session) client.setQueryData(sessionKey, session);
  // A code that was spent is no reason to send away whoever is signed in already.
  else await client.prefetchQuery(sessionOptions);
  return client.getQueryData<Session | null>(sessionKey);
}

function remembered(): QueryKey[] {
  // Another computer's questions name what is there, and belong there.
  if (host.kind !== 'desktop' || instanceInFront) return [];
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? '{}') as Record<string, QueryKey[] | undefined>;
    return kept[window.location.pathname] ?? [];
  } catch {
    return [];
  }
}

/** Remembers what the page in front has asked, once it has asked it all; answers what stops that. */
export function remember(client: QueryClient): () => void {
  if (host.kind !== 'desktop' || instanceInFront) return () => undefined;
  const { pathname } = window.location;
  const timer = setTimeout(() => {
    const asked = client
      .getQueryCache()
      .findAll({ queryKey: ['graphql'], type: 'active' })
      .filter(({ queryKey, state }) => state.status === 'success' && askedBy(queryKey) !== undefined)
      .map(({ queryKey }) => queryKey);
    const text = JSON.stringify({ [pathname]: asked });
    if (window.location.pathname === pathname && text.length <= most) keep(text);
  }, settled);
  return () => {
    clearTimeout(timer);
  };
}

/** Forgets the questions: they name what the person who goes was looking at. */
export function forget(): void {
  keep(null);
}

function keep(text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(name);
    else if (text !== localStorage.getItem(name)) localStorage.setItem(name, text);
  } catch {
    // Storage may be refused; the next start asks later.
  }
}
