import { useCommands } from '../keyboard/commands';
import type { Command } from '../keyboard/commands';

/** Keyboard actions on the rows of a table; unsupported actions are omitted. */
interface RowActs {
  /** Moves by so many rows. */
  go: (step: number) => void;
  open: (() => void) | undefined;
  /** Selects or deselects the row. */
  select: (() => void) | undefined;
  /** Selects all rows from the one selected last to this one. */
  selectRange: (() => void) | undefined;
  expand: ((isOpen: boolean) => void) | undefined;
}

/** The keys of the rows of a page's table. */
export function useRowCommands(isOn: boolean | undefined, { go, open, select, selectRange, expand }: RowActs): void {
  useCommands(
    isOn
      ? [
          command('next', 'Next row', 'j', () => {
            go(1);
          }),
          command('previous', 'Previous row', 'k', () => {
            go(-1);
          }),
          ...(open ? [command('open', 'Open the row', 'Enter', open)] : []),
          ...(select ? [command('select', 'Select the row', 'x', select)] : []),
          ...(selectRange ? [command('select range', 'Select up to the row', 'shift+x', selectRange)] : []),
          ...(expand
            ? [
                command('expand', 'Expand the row', 'ArrowRight', () => {
                  expand(true);
                }),
                command('collapse', 'Collapse the row', 'ArrowLeft', () => {
                  expand(false);
                }),
              ]
            : []),
        ]
      : [],
  );
}

/** The key is its full description. */
function command(name: string, title: string, keys: string, run: () => void): Command {
  return { id: `row ${name}`, title, group: 'Rows', keysOnly: true, keys, run };
}
