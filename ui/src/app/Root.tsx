import { Outlet, useLocation } from '@tanstack/react-router';
import { Suspense, lazy } from 'react';
import { useSession } from '@/api';
import { Failure, Loading } from '@/shared';
import { Frame } from './Frame';

const SignInPage = lazy(() => import('@/features/sign-in/SignInPage').then((page) => ({ default: page.SignInPage })));

/** The gate: without a session every address shows the sign-in page, and keeps what was asked for. */
export function Root() {
  const session = useSession();
  const { pathname } = useLocation();
  if (pathname === '/sign-in') return <Outlet />;
  if (session.isPending) return <Loading lines={1} label="Starting" />;
  if (session.data === undefined && session.error) {
    return (
      <main className="alone">
        <Failure what="Quarterdeck does not answer" error={session.error} retry={session.refetch} />
      </main>
    );
  }
  if (!session.data) {
    return (
      <Suspense fallback={null}>
        <SignInPage />
      </Suspense>
    );
  }
  return (
    <Frame session={session.data}>
      <Outlet />
    </Frame>
  );
}
