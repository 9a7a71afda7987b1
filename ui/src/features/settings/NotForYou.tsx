import { Lock } from 'lucide-react';
import { ApiError } from '@/api';
import { Empty } from '@/shared';

/** Whether the service refused because the person may not see it. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403;
}

/** In place of a page that administrators alone may see. */
export function NotForYou({ what }: { what: string }) {
  return (
    <Empty icon={Lock} title={`${what} is for administrators`}>
      Your role here does not include it. An administrator of the tenant can give you the role Administrator under Users
      & roles.
    </Empty>
  );
}
