import { Lock } from 'lucide-react';
import { ApiError, useSampleInFront } from '@/api';
import { Empty, useNarrow } from '@/shared';

/** Whether the service refused because the person may not see it. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403;
}

/** Shown instead of a page for administrators only. */
export function NotForYou() {
  const isNarrow = useNarrow();
  if (useSampleInFront())
    return (
      <Empty icon={Lock} title="Not part of the sample data">
        This page is about the whole service. Choose your own data {isNarrow ? 'under More' : 'at the top left'} to open
        it.
      </Empty>
    );
  return (
    <Empty icon={Lock} title="For administrators">
      Your role does not include this page. An administrator of the tenant can give you the role Administrator under
      Users & roles.
    </Empty>
  );
}
