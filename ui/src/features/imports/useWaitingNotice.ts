import { useEffect } from 'react';
import { pendingChanges } from '@/api';
import { toast } from '@/shared';
import { useStore } from '@/shared/store';

/** Delay before a slow change is explained, in ms. */
const patience = 2_000;

export const waitingNotice =
  'An import is being written. Your change may wait until it finishes. You can keep reading.';

/** Explains why a change may take long: a file database makes one change after another, and an import is one of them. */
export function useWaitingNotice(isImporting: boolean): void {
  const waits = useStore(pendingChanges) > 0 && isImporting;
  useEffect(() => {
    if (!waits) return;
    let close: (() => void) | undefined;
    const timer = setTimeout(() => {
      close = toast({ tone: 'info', text: waitingNotice });
    }, patience);
    return () => {
      clearTimeout(timer);
      close?.();
    };
  }, [waits]);
}
