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

/** A tenant of the signed-in user, with the user's role. */
export type TenantChoice = Rest.TenantChoice;

/** The signed-in user and tenant. */
export type Session = OfAnyVersion<Rest.Session, 'tenants' | 'uses_instances'>;

/** Public information about the service, available before sign-in. */
export type About = OfAnyVersion<Omit<Rest.About, 'sign_in'>, 'schema_version' | 'areas'> & {
  sign_in: OfAnyVersion<Rest.WaysIn, 'password' | 'desktop'>;
};

export const sessionKey = ['session'] as const;
export const aboutKey = ['about'] as const;

/** The session with read-only permissions: an unreachable instance allows nothing else. */
function readOnly(session: Session | null): Session | null {
  return session && { ...session, roles: session.roles.map((role) => role.replace(/_admin$/, '_admin_readonly')) };
}

/** The session that expired while its page was open: kept until the user signs in again, with everything typed. */
export const endedSession = createStore<Session | null>(null);

/** Called when the service reports that nobody is signed in any more. */
export function endSession(client: QueryClient): void {
  const session = client.getQueryData<Session | null>(sessionKey);
  if (session) {
    endedSession.set(session);
    // The page is hidden meanwhile; parts that depend on data would reset without it.
    for (const query of client.getQueryCache().getAll()) query.setOptions({ ...query.options, gcTime: Infinity });
  }
  client.setQueryData(sessionKey, null);
}

let channel: BroadcastChannel | undefined;
/** Pages of this browser in other tabs, which have the same cookie. */
const otherTabs = () => (channel ??= new BroadcastChannel('quarterdeck.signed-out'));

/** The user signed out: clears all data of the page, here and in other tabs. */
export function leaveSession(client: QueryClient): void {
  otherTabs().postMessage(null);
  forgetSession(client);
}

function forgetSession(client: QueryClient): void {
  // A concurrent request may have reported the end first.
  endedSession.set(null);
  client.setQueryData(sessionKey, null);
}

/** Clears the page when the user has signed out in another tab. */
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

/** Called after sign-in. Data of another user is removed. */
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

/** The session; null if nobody is signed in. */
export function useSession() {
  const isGone = useIsAway();
  return useQuery<Session | null, ApiError>({ ...sessionOptions, ...(isGone ? { select: readOnly } : {}) });
}

const ofTenant = ['tenant_admin', 'tenant_admin_readonly'];

/** Whether the user sees the whole tenant: imports and shared views have no account, and users with account roles do not see them. */
export function useSeesTenant(): boolean {
  const session = useSession().data;
  return !session || session.roles.some((role) => ofTenant.includes(role));
}

/** The tenants to choose from; empty if there is only one. */
export function useTenants(): readonly TenantChoice[] {
  const tenants = useSession().data?.tenants ?? [];
  return tenants.length > 1 ? tenants : [];
}

/** Switches to another tenant of the same user on this computer: a new session replaces this one. */
export const goOnIn = (tenant: string) => sendHere<Session>('POST', '/api/auth/tenant', { tenant });

/** Whether the last request got no response. */
let isAway = false;

/** The service ends together with its window, so its availability is not checked. */
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
        // The data of the page may be old, and nothing else may send a request: the copy of the session shows how old it is.
        if (isUnreachable(error) && !unreachable.get()) {
          unreachable.set(true);
          void client.invalidateQueries({ queryKey: sessionKey, predicate: ({ state }) => Boolean(state.data) });
        }
        throw error;
      });
      // The service is back: data from copies or failed requests is reloaded.
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

/** Checks now whether the service is available, unless it is known to be unavailable: then it is checked every few seconds anyway. */
export const askWhetherThere = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: aboutKey, predicate: ({ state }) => !state.error });

/**
 * Polled every 30 s for a remote service, every 3 s while it does not respond; its error tells the frame that the service does not respond, `latency`
 * is its response time in ms.
 */
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

/** The code of the one-time link in the address (`#code=…`), or null. It is removed from the address at once, so that no history stores it. */
export function codeOfLink(): string | null {
  const { pathname, search } = window.location;
  const code = codeInAddress();
  if (code !== null) window.history.replaceState(window.history.state, '', pathname + search);
  return code;
}

/** Uses the code of a one-time link; returns the signed-in user, or null. */
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
      // A request started before sign-in would return "nobody" afterwards.
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
    // For a remote instance: this computer returns its key and stays on its own instance.
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
