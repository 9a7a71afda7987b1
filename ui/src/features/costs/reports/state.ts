import type { Tone } from '@/shared';
import type { Run } from './queries';
import { words } from './words';

const tones = { waiting: 'info', sent: 'ok', failed: 'bad', dropped: 'off' } as const;

/** The state of a run: the delivery of its message, or why there is none. */
export function runState({ error, notice }: Run): { tone: Tone; text: string; why: string | null } {
  const { states } = words.panel;
  if (error !== null) return { tone: 'bad', text: states.error, why: error };
  const delivery = notice?.deliveries[0];
  if (!delivery) return { tone: 'ok', text: states.kept, why: null };
  return { tone: tones[delivery.state], text: states[delivery.state], why: delivery.error };
}
