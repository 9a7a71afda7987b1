import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from './error';
import { call, post } from './http';

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
  /** The ways in: whether single sign-on is switched on, and whether the local administrator has a password that counts. */
  sign_in: { token: boolean; saml: boolean; password?: boolean };
}

export const sessionKey = ['session'] as const;
export const aboutKey = ['about'] as const;

/** The session, `null` when nobody is signed in. */
export function useSession() {
  return useQuery<Session | null, ApiError>({
    queryKey: sessionKey,
    queryFn: async ({ signal }) => {
      try {
        return await call<Session>('/api/auth/session', { signal });
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return null;
        throw error;
      }
    },
    staleTime: Infinity,
  });
}

/** Asked every 30 s, every 3 s while there is no answer; its error tells the frame that the service does not answer, `latency` how long it took in ms. */
export function useAbout() {
  const session = useSession().data;
  return useQuery<About & { latency: number }, ApiError>({
    queryKey: [...aboutKey, session?.email ?? null],
    queryFn: async ({ signal }) => {
      const began = performance.now();
      const about = await call<About>('/api/about', { signal });
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
    mutationFn: () => call<null>('/api/auth/sign-out', { method: 'POST' }),
    onSuccess: () => {
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
