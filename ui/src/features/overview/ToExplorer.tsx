import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DayRange } from '@/shared';

/** A link to the charges behind a number: the Explorer, showing the same days, cost, currency and part. */
export function ToExplorer({
  range: { from, to },
  by,
  only,
  metric,
  currency,
  compared = false,
  children,
}: {
  range: DayRange;
  by?: 'account';
  /** The one service or account a number is about. */
  only?: { field: 'service' | 'account'; value: string };
  metric?: 'effective';
  /** Set if the month has several currencies. */
  currency?: string | undefined;
  /** Whether to compare with the previous period. */
  compared?: boolean;
  children: ReactNode;
}) {
  const search = {
    from,
    to,
    ...(by ? { by } : {}),
    ...(only ? { filters: [{ field: only.field, values: [only.value] }] } : {}),
    ...(metric ? { metric } : {}),
    ...(currency ? { currency } : {}),
    ...(compared ? { compare: 'previous' as const } : {}),
  };
  return (
    <Link to="/costs/explorer" search={search}>
      {children}
    </Link>
  );
}
