import type { LucideIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { createStore, useStore } from '../store';

/** Something the person can do from the keyboard: it appears in the palette, in the sheet under `?`, and answers its keys. */
export interface Command {
  id: string;
  title: string;
  group: 'Do' | 'Go to' | 'Rows';
  /** `g o` (one after the other), `mod+k` (Ctrl, ⌘ on macOS), `shift+d`, `/`, `Escape`. */
  keys?: string;
  icon?: LucideIcon;
  /** The target address, starting with the first slash, if the command only navigates: it can be opened in a new tab. */
  address?: string;
  /** Why it cannot run now; shown in place of its keys. */
  disabled?: string | undefined;
  /** Answers its keys, but is not worth a line in the palette. */
  keysOnly?: boolean;
  run: () => void;
}

/** The owner of commands: the current page, or the frame around every page. */
export type Of = 'page' | 'frame';

/** The commands of one component. Its position is assigned on mount and does not change when its commands change. */
interface Offer {
  readonly place: number;
  readonly of: Of;
  readonly commands: readonly Command[];
}

const registry = createStore<readonly Offer[]>([]);
let last = 0;

/** Registers commands while the component is shown. */
export function useCommands(commands: readonly Command[], of: Of = 'page'): void {
  const latest = useRef(commands);
  const place = useRef(0);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    last += 1;
    place.current = last;
  }, []);
  // Only displayed values decide whether to register again; `run` is read when it is called.
  const shape = JSON.stringify(commands.map((c) => [c.id, c.title, c.group, c.keys, c.disabled, c.keysOnly]));
  useEffect(() => {
    const mine: Offer = {
      place: place.current,
      of,
      commands: latest.current.map((command) => ({
        ...command,
        run: () => {
          const current = latest.current.find((c) => c.id === command.id);
          if (current && !current.disabled) current.run();
        },
      })),
    };
    registry.set((all) => [...all, mine]);
    return () => {
      registry.set((all) => all.filter((offer) => offer !== mine));
    };
  }, [shape, of]);
}

const inOrder = (offers: readonly Offer[], compare: (one: Offer, other: Offer) => number) =>
  [...offers]
    .sort((one, other) => Number(one.of === 'frame') - Number(other.of === 'frame') || compare(one, other))
    .flatMap((offer) => offer.commands);

/** All commands, for display: those of the page first, in an order independent of which part mounted first. */
export function useAllCommands(): readonly Command[] {
  const title = ({ commands }: Offer) => commands[0]?.title ?? '';
  return inOrder(useStore(registry), (one, other) =>
    one.of === 'frame' ? one.place - other.place : title(one).localeCompare(title(other), 'en'),
  );
}

/** All commands with a key: the page overrides the frame, and later ones override earlier ones. */
export function currentCommands(): readonly Command[] {
  return inOrder(registry.get(), (one, other) => other.place - one.place);
}
