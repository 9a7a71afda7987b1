import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { instanceInFront } from '@/shared/place';
import { useStore } from '@/shared/store';
import { copyOf } from './away';
import { isOffline, isSignedOut } from './error';
import type { ApiError } from './error';
import { call, callHere, post } from './http';

/** Who is signed in, and where. */
export interface Session {
  email: string;
  name: string;
  tenant: { id: string; name: string };
  roles: string[];
}

/** What the service says of itself before anybody signs in. */
export interface About {
  name: string;
  version: string;
  instance: string;
  data_dir: string | null;
  /** The parts of `/api/` that are there. */
  areas?: readonly string[];
  /** The ways in: whether single sign-on is switched on, and whether the local administrator has a password that counts. */
  sign_in: { token: boolean; saml: boolean; password?: boolean };
}

export const sessionKey = ['session'] as const;
export const aboutKey = ['about'] as const;

/** Who may only read: what a copy allows, whatever the person may do otherwise. */
function readOnly(session: Session | null): Session | null {
  return session && { ...session, roles: session.roles.map((role) => role.replace(/_admin$/, '_admin_readonly')) };
}

/** The session, `null` when nobody is signed in. */
export function useSession() {
  const isCopy = useStore(copyOf) !== null;
  return useQuery<Session | null, ApiError>({
    queryKey: sessionKey,
    ...(isCopy ? { select: readOnly } : {}),
    queryFn: async ({ signal }) => {
      try {
        return await call<Session>('/api/auth/session', { signal });
      } catch (error) {
        if (isSignedOut(error)) return null;
        throw error;
      }
    },
    staleTime: Infinity,
  });
}

/** Whether nobody answered the last time somebody asked. */
let isAway = false;

/** Asked every 30 s, every 3 s while there is no answer; its error tells the frame that the service does not answer, `latency` how long it took in ms. */
export function useAbout() {
  const session = useSession().data;
  return useQuery<About & { latency: number }, ApiError>({
    queryKey: [...aboutKey, session?.email ?? null],
    queryFn: async ({ signal, client }) => {
      const began = performance.now();
      const about = await call<About>('/api/about', { signal }).catch((error: unknown) => {
        isAway ||= isOffline(error);
        throw error;
      });
      // It is back: what was read from copies, or not at all, is asked again.
      if (copyOf.get() !== null || isAway) {
        isAway = false;
        copyOf.set(null);
        void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== aboutKey[0] });
      }
      return { ...about, latency: Math.round(performance.now() - began) };
    },
    refetchInterval: (query) => (query.state.error ? 3_000 : 30_000),
  });
}

/** The ways in from this page: an API token pair, the local administrator's password, the code of a one-time link. */
export type SignIn = { email: string; secret: string } | { email: string; password: string } | { code: string };

function doorOf(way: SignIn): string {
  if ('code' in way) return '/api/auth/link';
  return 'password' in way ? '/api/auth/password' : '/api/auth/session';
}

export function useSignIn() {
  const client = useQueryClient();
  return useMutation<Session, ApiError, SignIn>({
    mutationFn: (way) => post<Session>(doorOf(way), way),
    onSuccess: async (session) => {
      // A question asked before signing in would answer "nobody" afterwards.
      await client.cancelQueries({ queryKey: sessionKey });
      client.setQueryData(sessionKey, session);
    },
  });
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
      client.clear();
      client.setQueryData(sessionKey, null);
    },
  });
}

/** The command that imports a file from a shell into the data this instance shows, wherever that is. */
export function useImportCommand(): string {
  const folder = useAbout().data?.data_dir;
  const place = folder ? ` --data-dir '${folder.replaceAll("'", "'\\''")}'` : '';
  return `quarterdeck-server import focus-export.csv${place}`;
}
