import { Search } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useEffect, useId, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { host } from '@/host';
import { useFocusReturn } from '@/shared';
import { useAllCommands } from '@/shared/keyboard/commands';
import type { Command } from '@/shared/keyboard/commands';
import { Keys } from '@/shared/keyboard/Keys';
import { keyLabels } from '@/shared/keyboard/keys';
import { pagesBase } from '@/shared/place';
import { match } from './match';
import { bufferedKeys } from './KeyBuffer';

const groups = ['Do', 'Go to'] as const;

/** A line of the palette: a command, or a row that was found. */
export interface Entry extends Omit<Command, 'group'> {
  group: string;
  /** Distinguishes it from others with the same name. */
  note?: string;
}

const none: ReadonlyMap<string, string> = new Map();

/** The search text and its scope: `>` searches actions and pages only, `@` data only. */
function soughtIn(typed: string): { only: 'commands' | 'rows' | undefined; text: string } {
  const only = typed.startsWith('>') ? 'commands' : typed.startsWith('@') ? 'rows' : undefined;
  return { only, text: only === undefined ? typed : typed.slice(1).trimStart() };
}

function nothing(only: 'commands' | 'rows' | undefined, text: string, isBusy: boolean): string {
  if (only === 'rows' && text.trim().length < 2) return 'Type at least two letters of a name.';
  if (isBusy) return 'Searching…';
  return only === 'rows'
    ? `Nothing you can see has “${text}” in its name.`
    : `Nothing matches “${text}”. Try a page or an action, such as “import”.`;
}

/** One search for everything: type some letters, Enter runs the entry. Actions of the page are first, found rows last. */
export function Palette({
  onClose,
  onText,
  rows = [],
  trouble = null,
  isBusy = false,
  ask,
  notes = none,
}: {
  onClose: () => void;
  /** Called with the search text. */
  onText?: (text: string) => void;
  /** Rows that the service found for the text. */
  rows?: readonly Entry[];
  /** Why nothing could be looked for there. */
  trouble?: string | null;
  /** It is still being looked for there. */
  isBusy?: boolean;
  /** An entry that sends the text to the assistant. */
  ask?: Entry | undefined;
  /** Notes on pages by address: "3 firing". */
  notes?: ReadonlyMap<string, string>;
}) {
  const commands = useAllCommands();
  const [typed, setTyped] = useState(bufferedKeys);
  const { only, text } = soughtIn(typed);
  const [at, setAt] = useState(0);
  const list = useId();
  const returnFocus = useFocusReturn();
  const ofCommands = (only === 'rows' ? [] : groups).flatMap((group) =>
    commands
      .filter((command) => command.group === group && !command.keysOnly)
      .map((command) => ({ command, hit: match(command.title, text) }))
      .filter(({ hit }) => hit !== null)
      .sort((a, b) => (a.hit?.score ?? 0) - (b.hit?.score ?? 0)),
  );
  const ofRows = (only === 'commands' ? [] : rows).map((command) => ({ command, hit: match(command.title, text) }));
  const asking = ask && only === undefined ? [{ command: ask, hit: null }] : [];
  const found: { command: Entry; hit: ReturnType<typeof match> }[] = [...ofCommands, ...ofRows, ...asking];
  const current = found[at] ? `${list}-${String(at)}` : undefined;
  useEffect(() => {
    // jsdom has no layout and does not implement it.
    if (current !== undefined) document.getElementById(current)?.scrollIntoView?.({ block: 'nearest' });
  }, [current]);
  const hasTabs = host.kind === 'browser';
  const run = (command: Entry | undefined, isBeside = false) => {
    if (!command || command.disabled) return;
    onClose();
    if (isBeside && hasTabs && command.address !== undefined) host.openBeside(pagesBase + command.address);
    else command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Tab' && asking.length > 0) {
      event.preventDefault();
      run(ask);
    } else if (step && found.length > 0) {
      event.preventDefault();
      setAt((at + step + found.length) % found.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[at]?.command, event.ctrlKey || event.metaKey);
    }
  };
  return (
    <Radix.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Radix.Portal>
        <div className="scrim">
          <Radix.Content
            className="dialog pal"
            data-modal=""
            aria-describedby={undefined}
            onCloseAutoFocus={returnFocus}
          >
            <Radix.Title className="sr">Search or run</Radix.Title>
            <div className="ask">
              <Search className="i" />
              <input
                autoFocus
                role="combobox"
                aria-expanded
                aria-controls={list}
                aria-activedescendant={current}
                aria-label="Search or run"
                placeholder="Search or run"
                value={typed}
                onKeyDown={onKeyDown}
                onChange={(event) => {
                  setTyped(event.target.value);
                  setAt(0);
                  const sought = soughtIn(event.target.value);
                  onText?.(sought.only === 'commands' ? '' : sought.text);
                }}
              />
              <kbd>Esc</kbd>
            </div>
            <div className="results" role="listbox" id={list} aria-label="Results">
              {found.map(({ command, hit }, index) => (
                <div key={command.id} role="presentation">
                  {found[index - 1]?.command.group !== command.group && <div className="grp">{command.group}</div>}
                  <Result
                    command={command}
                    marks={hit?.marks ?? []}
                    id={`${list}-${String(index)}`}
                    selected={index === at}
                    onPoint={() => {
                      setAt(index);
                    }}
                    note={command.note ?? notes.get(command.address ?? '')}
                    onRun={(isBeside) => {
                      run(command, isBeside);
                    }}
                  />
                </div>
              ))}
              {ofCommands.length + ofRows.length === 0 && (
                <div className="grp" role="status">
                  {nothing(only, text, isBusy)}
                </div>
              )}
              {trouble !== null && (
                <div className="grp" role="alert">
                  {trouble}
                </div>
              )}
            </div>
            <div className="df">
              <span className="row">
                <kbd>↑</kbd>
                <kbd>↓</kbd> move <kbd>↵</kbd> run{' '}
                {hasTabs && (
                  <span className="row hide-n">
                    <kbd>{keyLabels('mod+Enter')}</kbd> open in a new tab
                  </span>
                )}
              </span>
              <span className="end muted small hide-n">
                Type <kbd>&gt;</kbd> for actions, <kbd>@</kbd> for your data
              </span>
            </div>
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Result({
  command,
  marks,
  id,
  selected,
  note,
  onPoint,
  onRun,
}: {
  command: Entry;
  marks: readonly number[];
  id: string;
  selected: boolean;
  note: string | undefined;
  onPoint: () => void;
  onRun: (isBeside: boolean) => void;
}) {
  const Icon = command.icon ?? Search;
  return (
    <div
      className="it"
      role="option"
      id={id}
      aria-selected={selected}
      aria-disabled={command.disabled !== undefined}
      onMouseMove={onPoint}
      onClick={(event) => {
        onRun(event.ctrlKey || event.metaKey);
      }}
    >
      <Icon className="i" />
      <span>{[...command.title].map((letter, i) => (marks.includes(i) ? <mark key={i}>{letter}</mark> : letter))}</span>
      <span className="end">{command.disabled ?? note ?? (command.keys && <Keys keys={command.keys} />)}</span>
    </div>
  );
}
