import type { CDPSession, Page } from 'playwright-core';

/** Goes over a page with Tab only: every control is reached, has a name and a ring that is seen, and is left again. */
export class Keyboard {
  private constructor(
    private readonly page: Page,
    private readonly keys: CDPSession,
  ) {}

  static async of(page: Page): Promise<Keyboard> {
    return new Keyboard(page, await page.context().newCDPSession(page));
  }

  /** What is wrong on the page that is open; the focus is elsewhere afterwards. */
  async faults(): Promise<string[]> {
    const stops = await this.page.evaluate(begin);
    const key = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };
    // Sent without waiting for each answer: they are handled in this order.
    const presses = Array.from({ length: stops }, () => [
      this.keys.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key }),
      this.keys.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }),
    ]);
    await Promise.all(presses.flat());
    return this.page.evaluate(end);
  }
}

/** What the two halves share while keys are pressed. */
interface Walk {
  end: () => string[];
}

/** Runs in the page before the keys; answers how many are needed. */
function begin(): number {
  /** Rows of a long table are alike: those behind these are passed over. */
  const rowsOfTable = 4;
  const controls =
    'a[href], button, input, select, textarea, summary, [contenteditable=true], [role=button], [role=link], [role=tab], [role=checkbox], [role=switch], [role=menuitem], [role=option], [role=radio], [role=treeitem]';
  /** One of them is reached by Tab, the others from there by arrows. */
  const groups =
    '[role=tablist], [role=radiogroup], [role=listbox], [role=menu], [role=tree], [role=grid], [role=toolbar], tbody, svg, .wf-board';
  const inGroup =
    '[role=tab], [role=radio], [role=option], [role=menuitem], [role=treeitem], [role=gridcell], tr, g[role=button], .wf-node';

  /** Day, month, year, hour, minute, half of the day and the button of the calendar are stops of their own in one field. */
  const dates = 'input[type=date], input[type=datetime-local], input[type=month], input[type=time]';
  const partsOfDate = 8;

  const reached = new Set<Element>();
  const found = new Set<string>();
  let stays = 0;
  let last: Element | null = null;

  for (const body of document.querySelectorAll('tbody'))
    [...body.rows].slice(rowsOfTable).forEach((row) => {
      row.inert = row.tabIndex < 0;
    });
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  // From here on the first control is next.
  getSelection()?.removeAllRanges();
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  document.addEventListener('keydown', visit, true);
  // Without time for them, no look is half way to another.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { transition: none !important }');
  document.adoptedStyleSheets.push(sheet);
  (globalThis as unknown as { walk: Walk }).walk = { end: finish };
  const stops = [...document.querySelectorAll<HTMLElement>('*')].filter(
    (part) => (part.tabIndex >= 0 || scrolls(part)) && isShown(part),
  );
  return stops.reduce((sum, part) => sum + (part.matches(dates) ? partsOfDate : 1), 2);

  /** Looks at what has the focus before the next key moves it. */
  function visit() {
    const at = document.activeElement;
    if (at === null || at === document.body) return;
    stays = at === last ? stays + 1 : 0;
    last = at;
    if (stays === (at.matches(dates) ? partsOfDate : 2)) found.add(`Tab does not leave ${nameOf(at)}`);
    if (reached.has(at)) return;
    reached.add(at);
    if (!at.matches(controls) && !isPressed(at)) return;
    if (isNameless(at)) found.add(`${nameOf(at)} has no name`);
    if (!isRinged(at)) found.add(`${nameOf(at)} shows no ring when it has the focus`);
    else if (isHidden(at)) found.add(`${nameOf(at)} has the focus and is not seen`);
  }

  function finish(): string[] {
    document.removeEventListener('keydown', visit, true);
    visit();
    for (const part of document.querySelectorAll('*')) {
      if (reached.has(part) || !(part.matches(controls) || isPressed(part)) || !isShown(part)) continue;
      if (part.matches(':disabled') || isReachedOtherwise(part)) continue;
      found.add(`Tab does not reach ${nameOf(part)}`);
    }
    return [...found];
  }

  /** From a neighbour by arrows, or through a control inside it. */
  function isReachedOtherwise(part: Element): boolean {
    const contains = (group: Element) => [...reached].some((other) => group.contains(other));
    const group = part.matches(inGroup) ? part.closest(groups) : null;
    if (group && contains(group)) return true;
    if (part instanceof HTMLInputElement && part.type === 'radio')
      return [...reached].some((other) => other instanceof HTMLInputElement && other.name === part.name);
    return !part.matches(controls) && part.tagName !== 'TR' && part.querySelector(controls) !== null;
  }

  /** React keeps what a press does at the element. */
  function isPressed(part: Element): boolean {
    const key = Object.keys(part).find((key) => key.startsWith('__reactProps$'));
    const props = key === undefined ? undefined : (part as unknown as Record<string, { onClick?: unknown }>)[key];
    return typeof props?.onClick === 'function' && part.tagName !== 'LABEL';
  }

  function isShown(part: Element): boolean {
    const { width, height } = part.getBoundingClientRect();
    if (width <= 2 || height <= 2 || part.closest('[inert]')) return false;
    return part.checkVisibility({ visibilityProperty: true });
  }

  /** The browser itself makes a stop of what scrolls and has none inside. */
  function scrolls(part: Element): boolean {
    return part.scrollHeight > part.clientHeight || part.scrollWidth > part.clientWidth;
  }

  function isNameless(part: Element): boolean {
    const said = [part.getAttribute('aria-label'), part.getAttribute('title'), part.textContent];
    const labels = 'labels' in part ? [...((part as HTMLInputElement).labels ?? [])] : [];
    const by = (part.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id));
    const all = [...said, ...[...labels, ...by].map((label) => label?.textContent)];
    return all.every((text) => !text?.trim());
  }

  /** On itself, on the box around a field, or on the cells of a row. */
  function isRinged(part: Element): boolean {
    if (part instanceof HTMLTableRowElement)
      return [...part.cells].every((cell) => getComputedStyle(cell).boxShadow.includes('inset'));
    // A drawing has its ring as a shape of its own.
    if (part instanceof SVGElement)
      return [...part.children].some((shape) => {
        const { stroke, strokeWidth } = getComputedStyle(shape);
        return stroke !== 'none' && parseFloat(strokeWidth) >= 2;
      });
    const around = [part, part.parentElement, part.parentElement?.parentElement];
    return around.some((box) => {
      if (!box) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(box);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
    });
  }

  /** Out of view, or below something else, at its middle and at both ends. */
  function isHidden(part: Element): boolean {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    const y = (top + bottom) / 2;
    return [left + 2, (left + right) / 2, right - 2].every((x) => {
      const above = document.elementFromPoint(x, y);
      return !above || !(part.contains(above) || above.contains(part));
    });
  }

  function nameOf(part: Element): string {
    const text = part.getAttribute('aria-label') ?? part.textContent.trim().slice(0, 40);
    return `${[part.tagName.toLowerCase(), ...part.classList].join('.')} “${text}”`;
  }
}

/** Runs in the page after the keys. */
function end(): string[] {
  return (globalThis as unknown as { walk: Walk }).walk.end();
}
