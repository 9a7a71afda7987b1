import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { Activity, Suspense, lazy, useEffect, useLayoutEffect } from 'react';
import { aboutOptions, endedSession, isOffline, lockOf, locked, useSession, useSignOutNews, useTenants } from '@/api';
import type { ApiError } from '@/api';
import { Failure, Loading } from '@/shared';
import { instanceInFront } from '@/shared/place';
import { useStore } from '@/shared/store';
import { SwitchProgress } from './SwitchProgress';
import { Frame } from './Frame';
import { leaving, useTenantNews } from './tenants';

const InstanceGate = lazy(() => import('./InstanceGate').then((page) => ({ default: page.InstanceGate })));
const SignInPage = lazy(() => import('@/features/sign-in/SignInPage').then((page) => ({ default: page.SignInPage })));

/** Pages without the frame, also for signed-in users. */
const pagesAlone = ['/sign-in', '/device'] as const;

/** The gate: without a session every address shows the sign-in page and is kept for afterwards. */
export function Root() {
  const session = useSession();
  // Not the address itself: the frame is not drawn anew with every page.
  const alone = useLocation({ select: ({ pathname }) => pagesAlone.find((address) => address === pathname) });
  const lock = useStore(locked);
  const why = lock ?? lockOf(session.error);
  const ended = useStore(endedSession);
  const isNobody = session.data === null && ended === null;
  useFocusKept(session.data === null && ended !== null);
  const isLeaving = useStore(leaving);
  useTenantNews(useTenants().find(({ current }) => current)?.id);
  useSignOutNews();
  const client = useQueryClient();
  useEffect(() => {
    if (!isNobody) return;
    // Data of the signed-out user, however they signed out; its pages are gone as well.
    client.removeQueries({ type: 'inactive' });
  }, [isNobody, client]);
  if (isLeaving) return <SwitchProgress />;
  if (alone === '/sign-in') return <Outlet />;
  if (why)
    return (
      <Suspense fallback={null}>
        <InstanceGate why={why} />
      </Suspense>
    );
  if (session.isPending) return <Loading lines={1} label="Starting" />;
  if (session.data === undefined && session.error) {
    return <NoAnswer error={session.error} retry={session.refetch} />;
  }
  // Signing in happens at this computer; then the instance elsewhere is opened again.
  if (!session.data && instanceInFront) {
    window.location.replace('/');
    return null;
  }
  const shown = session.data ?? ended;
  const signIn = !session.data && (
    <Suspense fallback={null}>
      <SignInPage ended={ended} />
    </Suspense>
  );
  if (!shown) return signIn;
  // Opened by a desktop program in the person's browser: one question, without the frame.
  if (alone === '/device') return <Outlet />;
  return (
    <>
      {signIn}
      {/* Kept for whoever signs in again, and for nobody else. */}
      <Activity mode={session.data ? 'visible' : 'hidden'}>
        <Frame key={`${shown.email} ${shown.tenant.id}`} session={shown}>
          <Outlet />
        </Frame>
      </Activity>
    </>
  );
}

/** Restores the focus of a page that was hidden. */
function useFocusKept(isHidden: boolean): void {
  useLayoutEffect(() => {
    if (!isHidden) return;
    const before = document.activeElement;
    return () => {
      // The page is there again in the same moment.
      queueMicrotask(() => {
        if (before instanceof HTMLElement && before.isConnected) before.focus();
      });
    };
  }, [isHidden]);
}

/** Delay before a service that has just responded is asked again who is signed in, in ms. */
const patience = 3_000;

/** Replaces every page while it is unknown who is signed in. Continues automatically when the service responds. */
function NoAnswer({ error, retry }: { error: ApiError; retry: () => Promise<unknown> }) {
  // Asks every few seconds whether the service is there; when it comes back, everything is asked again. (`useAbout` would ask for the session, too,
  // which takes this away until that fails.)
  const { dataUpdatedAt: answeredAt } = useQuery(aboutOptions(undefined));
  const isBackAlready = answeredAt > 0 && isOffline(error);
  useEffect(() => {
    if (!isBackAlready) return;
    const timer = setTimeout(() => void retry(), patience);
    return () => {
      clearTimeout(timer);
    };
  }, [isBackAlready, retry]);
  return (
    <main className="alone">
      <Failure what="Quarterdeck does not answer" error={error} retry={retry} />
      {instanceInFront && <a href="/">Go to this computer</a>}
    </main>
  );
}
