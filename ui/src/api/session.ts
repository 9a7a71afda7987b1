import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Query, QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { instanceInFront } from '@/shared/place';
import { createStore } from '@/shared/store';
import { copyOf, unreachable, useIsAway } from './offline';
import { ApiError, isOffline, isSignedOut, isUnreachable } from './error';
import { call, callHere, post, sendHere } from './http';
import { isOwnWindow } from './ownWindow';
import type { OfAnyVersion, Rest } from './rest';

/** A tenant of the person who is signed in, and what they are there. */
export type TenantChoice = Rest.TenantChoice;

/** Who is signed in, and where. */
export type Session = OfAnyVersion<Rest.Session, 'tenants' | 'uses_instances'>;

/** What the service says of itself before anybody signs in. */
export type About = OfAnyVersion<Omit<Rest.About, 'sign_in'>, 'schema_version' | 'areas'> & {
  sign_in: OfAnyVersion<Rest.WaysIn, 'password' | 'desktop'>;
};

export const sessionKey = ['session'] as const;
export const aboutKey = ['about'] as const;

/** Who may only read: what an instance that is away allows, whatever the person may do otherwise. */
function readOnly(session: Session | null): Session | null {
  return session && { ...session, roles: session.roles.map((role) => role.replace(/_admin$/, '_admin_readonly')) };
}

/** Whose session ended while their page was open: it is kept until they sign in again, with what they typed. */
export const endedSession = createStore<Session | null>(null);

/** The service has said that nobody is signed in any more. */
export function endSession(client: QueryClient): void {
  const session = client.getQueryData<Session | null>(sessionKey);
  if (session) {
    endedSession.set(session);
    // The page shows nothing meanwhile; parts that stand on an answer would begin anew without it.
    for (const query of client.getQueryCache().getAll()) query.setOptions({ ...query.options, gcTime: Infinity });
  }
  client.setQueryData(sessionKey, null);
}

let channel: BroadcastChannel | undefined;
/** Pages of this browser in other tabs, which have the same cookie. */
const otherTabs = () => (channel ??= new BroadcastChannel('quarterdeck.signed-out'));

/** The person has ended the session: nothing of the page is kept, here and in other tabs. */
export function leaveSession(client: QueryClient): void {
  otherTabs().postMessage(null);
  forgetSession(client);
}

function forgetSession(client: QueryClient): void {
  // A question that came in between may have told the end first.
  endedSession.set(null);
  client.setQueryData(sessionKey, null);
}

/** Keeps nothing of the page once the person has ended the session in another tab. */
export function useSignOutNews(): void {
  const client = useQueryClient();
  useEffect(() => {
    // An instance elsewhere is signed in to by this computer, not by the browser's cookie.
    if (instanceInFront) return;
    const hear = () => {
      forgetSession(client);
    };
    const tabs = otherTabs();
    tabs.addEventListener('message', hear);
    return () => {
      tabs.removeEventListener('message', hear);
    };
  }, [client]);
}

/** Somebody is signed in. Nothing that was answered to another person stays. */
export function beginSession(client: QueryClient, session: Session): void {
  const before = endedSession.get();
  const isSame = before?.email === session.email && before.tenant.id === session.tenant.id;
  const answers = { predicate: ({ queryKey }: Query) => queryKey[0] !== sessionKey[0] && queryKey[0] !== aboutKey[0] };
  if (before && !isSame) client.removeQueries(answers);
  endedSession.set(null);
  client.setQueryData(sessionKey, session);
  if (isSame) void client.invalidateQueries(answers);
}

export const sessionOptions = queryOptions<Session | null, ApiError>({
  queryKey: sessionKey,
  queryFn: async ({ signal, client }) => {
    try {
      return await call<Session>('/api/auth/session', { signal });
    } catch (error) {
      if (isSignedOut(error)) {
        endSession(client);
        return null;
      }
      throw error;
    }
  },
  staleTime: Infinity,
});

/** The session, `null` when nobody is signed in. */
export function useSession() {
  const isGone = useIsAway();
  return useQuery<Session | null, ApiError>({ ...sessionOptions, ...(isGone ? { select: readOnly } : {}) });
}

const ofTenant = ['tenant_admin', 'tenant_admin_readonly'];

/** Whether the person sees the whole tenant: imports and views that are shared belong to no account, and are not for whoever has roles over accounts alone. */
export function useSeesTenant(): boolean {
  const session = useSession().data;
  return !session || session.roles.some((role) => ofTenant.includes(role));
}

/** The tenants to choose among; none where there is but one. */
export function useTenants(): readonly TenantChoice[] {
  const tenants = useSession().data?.tenants ?? [];
  return tenants.length > 1 ? tenants : [];
}

/** Goes on in another tenant of the same person, on this computer: another session takes the place of this one. */
export const goOnIn = (tenant: string) => sendHere<Session>('POST', '/api/auth/tenant', { tenant });

/** Whether nobody answered the last time somebody asked. */
let isAway = false;

/** The service around this page ends with its window: there is nobody to ask whether it is still there. */
const livesWithThePage = isOwnWindow();

/**
 * How lists that other people change keep up: every half minute where the service is elsewhere; in the window around it, where hardly anybody else is,
 * when the person comes back to it. Who looks at a page that nothing changes costs nothing.
 */
export const keepingUp = livesWithThePage
  ? ({ refetchOnWindowFocus: 'always' } as const)
  : ({ refetchInterval: 30_000 } as const);

export const aboutOptions = (session: Session | null | undefined) =>
  queryOptions<About & { latency: number }, ApiError>({
    queryKey: [...aboutKey, session?.email ?? null],
    queryFn: async ({ signal, client }) => {
      const began = performance.now();
      const about = await call<About>('/api/about', { signal }).catch((error: unknown) => {
        isAway ||= isOffline(error);
        // What stands on the page may have been read long ago, and nothing else may ask: the copy of the session tells how old it is.
        if (isUnreachable(error) && !unreachable.get()) {
          unreachable.set(true);
          void client.invalidateQueries({ queryKey: sessionKey, predicate: ({ state }) => Boolean(state.data) });
        }
        throw error;
      });
      // It is back: what was read from copies, or not at all, is asked again.
      if (copyOf.get() !== null || isAway) {
        isAway = false;
        copyOf.set(null);
        unreachable.set(false);
        void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== aboutKey[0] });
      }
      return { ...about, latency: Math.round(performance.now() - began) };
    },
    refetchInterval: (query) => (query.state.error ? 3_000 : livesWithThePage ? false : 30_000),
  });

/** Has it asked now whether the service is there, unless it is known not to be: then that is asked every few seconds anyway. */
export const askWhetherThere = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: aboutKey, predicate: ({ state }) => !state.error });

/** Asked every 30 s where the service is elsewhere, every 3 s while there is no answer; its error tells the frame that the service does not answer, `latency` how long it took in ms. */
export function useAbout() {
  return useQuery(aboutOptions(useSession().data));
}

/** The ways in from this page: an API token pair, the local administrator's password, the code of a one-time link. */
export type SignIn = { email: string; secret: string } | { email: string; password: string } | { code: string };

function doorOf(way: SignIn): string {
  if ('code' in way) return '/api/auth/link';
  return 'password' in way ? '/api/auth/password' : '/api/auth/session';
}

/** Why the link that this page was opened by did not sign in. */
export const refusedLink = createStore<ApiError | null>(null);

const codeInAddress = () => new URLSearchParams(window.location.hash.slice(1)).get('code');

/** Whether the address of the page is a one-time link. */
export const hasCodeOfLink = () => codeInAddress() !== null;

/** The code of the one-time link in the address of the page (`#code=…`); null when there is none. It leaves the address at once, so that no history keeps it. */
export function codeOfLink(): string | null {
  const { pathname, search } = window.location;
  const code = codeInAddress();
  if (code !== null) window.history.replaceState(window.history.state, '', pathname + search);
  return code;
}

/** Spends the code of a one-time link; who is signed in by it, null when nobody is. */
export async function followLink(code: string): Promise<Session | null> {
  try {
    return await post<Session>(doorOf({ code }), { code });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    refusedLink.set(error);
    return null;
  }
}

export function useSignIn() {
  const client = useQueryClient();
  return useMutation<Session, ApiError, SignIn>({
    mutationFn: (way) => post<Session>(doorOf(way), way),
    onSuccess: async (session) => {
      // A question asked before signing in would answer "nobody" afterwards.
      await client.cancelQueries({ queryKey: sessionKey });
      beginSession(client, session);
    },
  });
}

/** Looks whether the person has signed in elsewhere in this browser, as by single sign-on in another tab. */
export async function lookForSession(client: QueryClient): Promise<void> {
  const session = await call<Session>('/api/auth/session').catch(() => null);
  if (session && client.getQueryData(sessionKey) === null) beginSession(client, session);
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation<null, ApiError>({
    // Out of an instance elsewhere: this computer gives its key back and stays where it is.
    mutationFn: () =>
      instanceInFront
        ? callHere<null>(`/api/instances/${instanceInFront}/sign-out`, { method: 'POST' })
        : call<null>('/api/auth/sign-out', { method: 'POST' }),
    onSuccess: () => {
      if (instanceInFront) {
        window.location.reload();
        return;
      }
      leaveSession(client);
    },
  });
}
