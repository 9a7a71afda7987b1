import { createStore, useStore } from '@/shared/store';

/** When the copy was kept that the page shows because the instance in front cannot be reached; null while everything is fresh. */
export const copyOf = createStore<string | null>(null);

/** Whether the instance in front did not answer the last time it was asked whether it is there. */
export const unreachable = createStore(false);

/** Whether what the page shows was read before, because the instance in front cannot be reached: copies, or what stands there since. */
export function useIsAway(): boolean {
  const isCopy = useStore(copyOf) !== null;
  return useStore(unreachable) || isCopy;
}

/** Why the instance in front asks to be signed in to again; null while it does not. */
export const locked = createStore<'instance_signed_out' | 'instance_locked' | null>(null);

/** Notes the time of a copy; of several, the oldest tells how old the page is. */
export function noteCopy(time: string): void {
  copyOf.set((known) => (known !== null && known < time ? known : time));
}
