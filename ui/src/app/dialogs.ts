import { createStore } from '@/shared/store';

/** Which of the frame's own dialogs is open. */
export const dialog = createStore<'palette' | 'shortcuts' | 'instances' | 'zone' | null>(null);
