/**
 * What the first page asks, asked before there is a page: the service answers while its code is read, and the page is drawn once, with its
 * figures, and not grey first.
 *
 * Which questions those are the window remembers from its last start: their texts and variables, never an answer. public/first.js sends them. A
 * question that the page asks otherwise this time is simply asked then.
 */
import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import {
  aboutOptions,
  askedBy,
  codeOfLink,
  followLink,
  graphqlOptions,
  instancesOptions,
  isOwnWindow,
  samlHealthOptions,
  sessionKey,
  sessionOptions,
  windowOptions,
} from '@/api';
import type { Document, Session } from '@/api';
import { host } from '@/host';
import { arrive, forgetDrawing, isFirstPage, keepDrawing, noteEarly } from './drawn';

/** Where the questions are kept, with the page they belong to. */
const name = 'quarterdeck.first';
/** No page waits longer than this for answers, ms: then it comes with what is there. */
const patience = 400;
/** When a page has asked all it asks, ms after it was shown or had its last answer. */
const settled = 1_500;
/** So many letters of questions are kept at most. */
const most = 300_000;

/** A question as it was sent: the body of a request. */
interface Question {
  query: Document<unknown, Record<string, unknown>>;
  variables: Record<string, unknown>;
}

/** Takes up what was asked; comes with the last answer, or when patience ends. */
export async function ask(client: QueryClient): Promise<void> {
  if (window.location.pathname === '/sign-in') return;
  const late = new Promise<void>((resolve) => setTimeout(resolve, patience));
  const answered = signedIn(client)
    .then((session) => session && everything(client, session))
    .then(() => {
      noteEarly(client);
    });
  // What went wrong is told by the page: it asks again.
  await Promise.race([late, answered]).catch(() => undefined);
}

function everything(client: QueryClient, session: Session): Promise<unknown> {
  return Promise.allSettled([
    client.prefetchQuery(aboutOptions(session)),
    client.prefetchQuery(instancesOptions),
    ...(host.kind === 'desktop'
      ? [client.prefetchQuery(windowOptions), client.prefetchQuery(samlHealthOptions(null))]
      : []),
    ...remembered().map(({ query, variables }) => client.prefetchQuery(graphqlOptions(query, variables))),
  ]);
}

/** Who is signed in; by the code of a one-time link where the address carries one. */
async function signedIn(client: QueryClient): Promise<Session | null | undefined> {
  const code = codeOfLink();
  const session = code === null ? null : await followLink(code);
  if (session) client.setQueryData(sessionKey, session);
  // A code that was spent is no reason to send away whoever is signed in already.
  else await client.prefetchQuery(sessionOptions);
  return client.getQueryData<Session | null>(sessionKey);
}

function remembered(): Question[] {
  // Another computer's questions name what is there, and belong there.
  if (!isOwnWindow()) return [];
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? '{}') as Record<string, Question[] | undefined>;
    return kept[window.location.pathname] ?? [];
  } catch {
    return [];
  }
}

/**
 * Remembers what the page that the window opens with has asked, and the page itself, once all is asked, and again when it asked something else, has
 * other room, or is gone back to. Answers what stops that.
 */
export function remember(client: QueryClient, router: Pick<AnyRouter, 'subscribe'>): () => void {
  if (!isOwnWindow()) return () => undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void settle(), settled);
  };
  const settle = async () => {
    if (!isFirstPage()) return;
    keepQuestions(client);
    if (await keepDrawing(client)) soon();
    performance.mark('remembered');
  };
  const stops = [
    client.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success') soon();
    }),
    router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      if (!fromLocation || !pathChanged) return;
      arrive();
      soon();
    }),
  ];
  window.addEventListener('resize', soon);
  soon();
  return () => {
    clearTimeout(timer);
    window.removeEventListener('resize', soon);
    stops.forEach((stop) => {
      stop();
    });
  };
}

function keepQuestions(client: QueryClient): void {
  const asked = client
    .getQueryCache()
    .findAll({ queryKey: ['graphql'], type: 'active' })
    .flatMap(({ queryKey, state }) => (state.status === 'success' ? (askedBy(queryKey) ?? []) : []))
    .map(({ document, variables }) => ({ query: document, variables }));
  const text = JSON.stringify({ [window.location.pathname]: asked });
  if (text.length <= most) keep(text);
}

/** Forgets the questions: they name what the person who goes was looking at. */
export function forget(): void {
  keep(null);
  forgetDrawing();
}

function keep(text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(name);
    else if (text !== localStorage.getItem(name)) localStorage.setItem(name, text);
  } catch {
    // Storage may be refused; the next start asks later.
  }
}
