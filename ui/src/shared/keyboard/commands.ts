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
  /** Why it cannot run now; shown in place of its keys. */
  disabled?: string | undefined;
  /** Answers its keys, but is not worth a line in the palette. */
  keysOnly?: boolean;
  run: () => void;
}

const registry = createStore<readonly Command[]>([]);

/** Registers commands while the component is shown. The newest come first: a page is listed before the frame and wins a key. */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  // Only what is displayed decides whether to register again; `run` is read at the moment it is called.
  const shape = JSON.stringify(commands.map((c) => [c.id, c.title, c.group, c.keys, c.disabled, c.keysOnly]));
  useEffect(() => {
    const mine = latest.current.map((command) => ({
      ...command,
      run: () => {
        const current = latest.current.find((c) => c.id === command.id);
        if (current && !current.disabled) current.run();
      },
    }));
    registry.set((all) => [...mine, ...all]);
    return () => {
      registry.set((all) => all.filter((command) => !mine.includes(command)));
    };
  }, [shape]);
}

export function useAllCommands(): readonly Command[] {
  return useStore(registry);
}

export function currentCommands(): readonly Command[] {
  return registry.get();
}
