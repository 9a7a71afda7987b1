import { currentCommands } from './commands';

export const isMac = navigator.platform.startsWith('Mac');

/** Time in which the second key of `g o` counts, in milliseconds. */
const patience = 1200;

/** The name of a key press as commands write it. */
export function pressed(event: KeyboardEvent): string {
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const letter = /^[a-z]$/i.test(event.key);
  const key = letter ? event.key.toLowerCase() : event.key;
  // Shift is part of the sign for `?` and `/`, and a key of its own for letters and Enter.
  const shift = event.shiftKey && (letter || event.key.length > 1);
  return `${mod ? 'mod+' : ''}${event.altKey ? 'alt+' : ''}${shift ? 'shift+' : ''}${key}`;
}

/** Inputs without text: single-letter shortcuts work while one has the focus. */
const boxes = /^(button|checkbox|radio|reset|submit)$/;

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !boxes.test(target.type);
  return target instanceof HTMLElement && (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName));
}

const roles = ['button', 'checkbox', 'link', 'menuitem', 'option', 'radio', 'switch', 'tab'];

/** Selectors of controls that handle Enter or Space while focused. */
const controls = ['a[href]', 'button', 'input', 'summary', ...roles.map((role) => `[role="${role}"]`)].join();

/** Whether the focused control handles this key itself; commands must not override it. */
function belongsToControl(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (/^(shift\+)?(Enter| )$/.test(key)) return target.closest(controls) !== null;
  return key.startsWith('Arrow') && target.closest('input, [role="radio"], [role="tab"]') !== null;
}

/** Listens for the keys of all commands until the answer is called. Single letters work outside fields only. */
export function listen(target: Window): () => void {
  let first = '';
  let since = 0;
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || /^(Shift|Control|Alt|Meta)$/.test(event.key)) return;
    const key = pressed(event);
    if ((isTyping(event.target) || belongsToControl(event.target, key)) && !key.startsWith('mod+')) return;
    // A dialog or menu has the keyboard to itself.
    if (document.querySelector('[role="dialog"][data-modal], [role="menu"]') && !key.startsWith('mod+')) return;
    const sequence = first && event.timeStamp - since < patience ? `${first} ${key}` : key;
    const commands = currentCommands();
    const command = commands.find((c) => c.keys === sequence) ?? commands.find((c) => c.keys === key);
    first = '';
    if (command) {
      event.preventDefault();
      command.run();
    } else if (commands.some((c) => c.keys?.startsWith(`${key} `))) {
      first = key;
      since = event.timeStamp;
    }
  };
  target.addEventListener('keydown', onKey);
  return () => {
    target.removeEventListener('keydown', onKey);
  };
}

const names: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  shift: 'Shift',
  alt: 'Alt',
  Enter: '↵',
  Escape: 'Esc',
  tab: 'Tab',
};

/** "g o" as `['G', 'O']`, "mod+k" as `['Ctrl K']`: one entry per press. */
export function keyLabels(keys: string): string[] {
  return keys.split(' ').map((press) =>
    press
      .split('+')
      .map((key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key))
      .join(' '),
  );
}
