import { CloudOff } from 'lucide-react';
import { copyOf, useInstanceInFront } from '@/api';
import { dateTime, useToday } from '@/shared';
import { useStore } from '@/shared/store';

/** Says that the page shows a copy, of when, and what does not work meanwhile. */
export function AwayBanner() {
  const kept = useStore(copyOf);
  const instance = useInstanceInFront();
  const now = useToday();
  if (kept === null) return null;
  return (
    <div className="away" role="status">
      <CloudOff className="i" />
      <span>
        <b>{instance?.name ?? 'The instance'} cannot be reached.</b> You read the copy of {dateTime(kept, now)} UTC.
        Changes are off; everything is asked again as soon as it is back.
      </span>
    </div>
  );
}
