import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { Suspense, lazy, useEffect } from 'react';
import { lockOf, locked, useSession, useTenants } from '@/api';
import { Failure, Loading } from '@/shared';
import { instanceInFront } from '@/shared/place';
import { useStore } from '@/shared/store';
import { forget } from './ask';
import { Frame } from './Frame';
import { leaving, useTenantNews } from './tenants';

const InstanceGate = lazy(() => import('./InstanceGate').then((page) => ({ default: page.InstanceGate })));
const SignInPage = lazy(() => import('@/features/sign-in/SignInPage').then((page) => ({ default: page.SignInPage })));

/** Pages that stand without the frame, also for whoever is signed in. */
const pagesAlone = ['/sign-in', '/device'] as const;

/** The gate: without a session every address shows the sign-in page, and keeps what was asked for. */
export function Root() {
  const session = useSession();
  // Not the address itself: the frame is not drawn anew with every page.
  const alone = useLocation({ select: ({ pathname }) => pagesAlone.find((address) => address === pathname) });
  const lock = useStore(locked);
  const why = lock ?? lockOf(session.error);
  const isNobody = session.data === null;
  const isLeaving = useStore(leaving);
  useTenantNews(useTenants().find(({ current }) => current)?.id);
  const client = useQueryClient();
  useEffect(() => {
    if (!isNobody) return;
    forget();
    // What was answered to whoever has gone, in which way ever; the pages that showed it are gone, too.
    client.removeQueries({ type: 'inactive' });
  }, [isNobody, client]);
  if (isLeaving) return <Loading lines={1} label="Opening the other tenant" />;
  if (alone === '/sign-in') return <Outlet />;
  if (why)
    return (
      <Suspense fallback={null}>
        <InstanceGate why={why} />
      </Suspense>
    );
  if (session.isPending) return <Loading lines={1} label="Starting" />;
  if (session.data === undefined && session.error) {
    return (
      <main className="alone">
        <Failure what="Quarterdeck does not answer" error={session.error} retry={session.refetch} />
        {instanceInFront && <a href="/">Go to this computer</a>}
      </main>
    );
  }
  // Signing in happens at this computer; then the instance elsewhere is opened again.
  if (!session.data && instanceInFront) {
    window.location.replace('/');
    return null;
  }
  if (!session.data) {
    return (
      <Suspense fallback={null}>
        <SignInPage />
      </Suspense>
    );
  }
  // Opened by a desktop program in the person's browser: one question, without the frame.
  if (alone === '/device') return <Outlet />;
  return (
    <Frame session={session.data}>
      <Outlet />
    </Frame>
  );
}
