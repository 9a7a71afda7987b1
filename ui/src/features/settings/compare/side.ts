import type { Instance, Instances } from '@/api';
import type { Tone } from '@/shared';
import type { SideAnswer } from './line';

/** One of the two compared instances. */
export interface Side {
  /** Null is this computer. */
  id: string | null;
  name: string;
  address: string;
  colour: string | null;
}

/** The word for this computer in an address. */
export const here = 'here';

export const wordOf = (side: Side): string => side.id ?? here;

/** All instances that can be compared, this computer first. */
export function sidesOf({ here: computer, instances }: Instances): Side[] {
  const elsewhere = ({ id, name, address, colour }: Instance): Side => ({ id, name, address, colour });
  return [{ id: null, name: 'This computer', address: computer.address, colour: null }, ...instances.map(elsewhere)];
}

/** The two instances in the address; by default this computer and the first signed-in instance. */
export function chosen(
  all: Instances,
  { a, b }: { a?: string; b?: string },
): { a: Side | undefined; b: Side | undefined } {
  const sides = sidesOf(all);
  const named = (word: string | undefined) => sides.find((side) => wordOf(side) === word);
  const first = a === undefined ? sides.find((side) => wordOf(side) !== b) : named(a);
  const others = sides.filter(({ id }) => id !== first?.id);
  const isSignedIn = ({ id }: Side) => all.instances.some((one) => one.id === id && one.kept_in !== null);
  return { a: first, b: b === undefined ? (others.find(isSignedIn) ?? others[0]) : named(b) };
}

export interface Standing {
  tone: Tone;
  word: string;
  /** When the oldest of its figures was stored, if they are copies. */
  copy: string | null;
  isSignedOut: boolean;
}

/** The state of a side from its responses, with the age of copies. */
export function stands(told: readonly SideAnswer[]): Standing {
  const copies = told.flatMap((one) => (one?.state === 'answered' && one.copy !== null ? [one.copy] : []));
  const copy = copies.sort()[0] ?? null;
  const is = (state: string) => told.some((one) => one?.state === state);
  const isSignedOut = is('signed_out');
  const as = (tone: Tone, word: string) => ({ tone, word, copy, isSignedOut });
  if (is('away') || copy !== null) return as('off', 'Not reachable');
  if (isSignedOut) return as('warn', 'Not signed in');
  if (told.every((one) => one === undefined)) return as('info', 'Reading');
  return is('answered') ? as('ok', 'Connected') : as('bad', 'Could not be read');
}
