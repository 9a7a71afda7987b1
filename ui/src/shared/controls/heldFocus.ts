/**
 * Where the focus goes when what had it is not there any more: a row that was removed or resolved, a form that began anew, a button that was switched off.
 * Browsers leave it on nothing then, and the next key begins at the top of the window.
 *
 * It goes to the same control of the row that took the place, to the first field of the form, to the control beside, else to the heading of the part.
 */
const focusable = [
  'a[href]',
  'button:not(:disabled)',
  'input:not(:disabled):not([type=hidden])',
  'select:not(:disabled)',
  'textarea:not(:disabled)',
  '[tabindex]:not([tabindex="-1"])',
].join(',');
const fields = 'input:not(:disabled):not([type=hidden]), select:not(:disabled), textarea:not(:disabled)';
const rows = 'tr, li, [role=row], [role=option]';
const parts = 'form, section, aside, [role=dialog], [role=tabpanel], main';

/** The position of a part of the page before it was removed. */
interface Place {
  parent: Node;
  previous: Node | null;
  next: Node | null;
}

const places = new WeakMap<Node, Place>();

const all = (within: Element) => [...within.querySelectorAll<HTMLElement>(focusable)];

/** The element at the position of a removed one: a replacement, else the next element, else the previous one. */
function inPlaceOf(removed: Node): Element | null {
  const place = places.get(removed);
  if (!place) return null;
  const { parent, previous, next } = place;
  if (!(parent instanceof Element)) return null;
  const here = (node: Node | null) => (node?.parentNode === parent ? node : null);
  const before = here(previous);
  const first = previous === null ? parent.firstChild : (here(next) ?? parent.firstChild);
  for (let node = before ? before.nextSibling : first; node !== null; node = node.nextSibling)
    if (node instanceof Element) return node;
  return parent.lastElementChild;
}

/** The heading of the section that contains an element; makes it focusable. */
function headingOf(within: Element): HTMLElement | null {
  for (let part = within.closest(parts); part !== null; part = part.parentElement?.closest(parts) ?? null) {
    const heading = part.querySelector<HTMLElement>('h1, h2, h3');
    if (heading) {
      heading.tabIndex = -1;
      return heading;
    }
  }
  return document.getElementById('main');
}

/** The element that takes over the focus from a removed one; null if none is near. */
export function successorOf(lost: HTMLElement): HTMLElement | null {
  if (lost.isConnected) return afterSwitchedOff(lost);
  let root: Element = lost;
  while (root.parentElement) root = root.parentElement;
  // Dialogs and menus return the focus themselves.
  if (lost.closest('[role=dialog], [role=menu], [role=listbox]')) return null;
  const parent = places.get(root)?.parent;
  if (!(parent instanceof HTMLElement)) return null;
  // Its container was removed as well.
  if (!parent.isConnected) return successorOf(parent);
  const heir = inPlaceOf(root);
  const form = lost.closest('form');
  const anew = form && (heir?.matches('form') ? heir : (heir?.querySelector('form') ?? parent.closest('form')));
  const field = anew?.querySelector<HTMLElement>(fields);
  if (field) return field;
  if (root.matches(rows)) return heir?.matches(rows) ? inRow(heir, lost, root) : headingOf(parent);
  return (heir && all(heir)[0]) ?? headingOf(parent);
}

/** The control at the same position in the next row; the row itself if it had the focus. */
function inRow(row: Element, lost: HTMLElement, own: Element): HTMLElement | null {
  if (lost === own && row instanceof HTMLElement && row.hasAttribute('tabindex')) return row;
  const at = [...own.querySelectorAll<HTMLElement>('a, button, input, select, textarea, [tabindex]')].indexOf(lost);
  const controls = all(row);
  return controls[Math.min(Math.max(at, 0), controls.length - 1)] ?? headingOf(row);
}

/** In a form its first field, elsewhere the adjacent control. */
function afterSwitchedOff(lost: HTMLElement): HTMLElement | null {
  const form = lost.closest('form');
  const field = form?.querySelector<HTMLElement>(fields);
  if (field) return field;
  const group = lost.parentElement;
  const beside = group && all(group);
  const after = beside?.find((one) => lost.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
  return after ?? beside?.at(-1) ?? headingOf(lost);
}

/** Whether it can have the focus no more: it was removed, or switched off. */
export const isGone = (element: HTMLElement) => !element.isConnected || element.matches(':disabled');

/** Starts keeping the focus; returns a function that stops it. */
export function holdFocus(): () => void {
  let last: HTMLElement | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const keep = ({ target }: FocusEvent) => {
    last = target instanceof HTMLElement ? target : null;
  };
  const leave = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null) return;
    // A click outside all controls removes the focus on purpose.
    queueMicrotask(() => {
      if (last === target && last && !isGone(last)) last = null;
    });
  };
  const look = () => {
    waiting = undefined;
    const lost = last;
    // Some browsers leave the focus on a disabled control, where keys have no effect.
    const isNowhere = document.activeElement === document.body || document.activeElement === lost;
    if (!lost || !isNowhere || !isGone(lost)) return;
    last = null;
    successorOf(lost)?.focus();
  };
  const changes = new MutationObserver((records) => {
    for (const { target, removedNodes, previousSibling: previous, nextSibling: next } of records)
      for (const node of removedNodes) places.set(node, { parent: target, previous, next });
    // Panels and dialogs that close return the focus first.
    if (last && isGone(last)) waiting ??= setTimeout(() => (waiting = setTimeout(look)));
  });
  changes.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled'] });
  document.addEventListener('focusin', keep);
  document.addEventListener('focusout', leave);
  return () => {
    clearTimeout(waiting);
    changes.disconnect();
    document.removeEventListener('focusin', keep);
    document.removeEventListener('focusout', leave);
  };
}
