import { createStore } from '@/shared/store';

/** How many changes were sent that are not answered yet. */
export const pendingChanges = createStore(0);

/** Counts a change until it is answered. */
export async function countChange<Answer>(answer: Promise<Answer>): Promise<Answer> {
  pendingChanges.set((count) => count + 1);
  try {
    return await answer;
  } finally {
    pendingChanges.set((count) => count - 1);
  }
}
