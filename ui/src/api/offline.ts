import { createStore, useStore } from '@/shared/store';

/** When the shown copy was stored, because the current instance is unreachable; null while data is fresh. */
export const copyOf = createStore<string | null>(null);

/** Whether the last availability check of the current instance failed. */
export const unreachable = createStore(false);

/** Whether the page shows earlier data because the current instance is unreachable: copies, or data loaded before. */
export function useIsAway(): boolean {
  const isCopy = useStore(copyOf) !== null;
  return useStore(unreachable) || isCopy;
}

/** Why the current instance requires a new sign-in; null otherwise. */
export const locked = createStore<'instance_signed_out' | 'instance_locked' | null>(null);

/** Records the time of a copy; of several, the oldest is the age of the page. */
export function noteCopy(time: string): void {
  copyOf.set((known) => (known !== null && known < time ? known : time));
}
