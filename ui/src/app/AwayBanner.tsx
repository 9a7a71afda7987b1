import { CloudOff } from 'lucide-react';
import { copyOf, useInstanceInFront, useIsAway } from '@/api';
import { dateTimeZone, useToday } from '@/shared';
import { useStore } from '@/shared/store';

/** States that the page shows earlier data, the time of the copy, and what is unavailable meanwhile. */
export function AwayBanner() {
  const isAway = useIsAway();
  const kept = useStore(copyOf);
  const instance = useInstanceInFront();
  const now = useToday();
  if (!isAway) return null;
  return (
    <div className="away" role="status">
      <CloudOff className="i" />
      <span>
        <b>{instance?.name ?? 'The instance'} cannot be reached.</b>{' '}
        {kept === null ? 'You are viewing a saved copy.' : `You are viewing a copy from ${dateTimeZone(kept, now)}.`}{' '}
        Changes are off; data is refreshed as soon as it is back.
      </span>
    </div>
  );
}
