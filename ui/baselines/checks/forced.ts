import type { Page } from 'playwright-core';

/** Lists without the arrow that says that they open, what is chosen among others on the page that is open and looks like them, and the primary button that looks like any other, where the system forces its own colours: it takes grounds and shadows away. */
export async function alikeInForcedColours(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  // The colours of the system are there with the next picture that is drawn.
  await page.waitForFunction(() => matchMedia('(forced-colors: active)').matches);
  await page.evaluate(
    () =>
      new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(done));
      }),
  );
  const found = await page.evaluate(find);
  await page.emulateMedia({ forcedColors: 'none' });
  return found;
}

/** Runs in the page. */
function find(): string[] {
  const isChosen = ':is([aria-pressed=true], [aria-selected=true], [aria-current]:not([aria-current=false]))';
  const bare = [...document.querySelectorAll('select')]
    // The system takes away what is drawn on a ground.
    .filter((list) => isShown(list) && getComputedStyle(list).appearance === 'none')
    .map((list) => `in forced colours the list ${nameOf(list)} has no arrow`);
  const alike = [...document.querySelectorAll(isChosen)].flatMap((part) => {
    const other = [...(part.parentElement?.children ?? [])].find(
      (one) => one.tagName === part.tagName && one !== part && !one.matches(isChosen) && isShown(one),
    );
    return other && isShown(part) && lookOf(part) === lookOf(other)
      ? [`in forced colours ${nameOf(part)} looks like “${textOf(other)}”, which is not chosen: ${lookOf(part)}`]
      : [];
  });
  const plain = [
    ...document.querySelectorAll('.btn:not(.pri, .solid, .ghost, .icon, [disabled], [aria-disabled])'),
  ].find((button) => isShown(button) && !button.matches(isChosen));
  const primary = [...document.querySelectorAll('.btn:is(.pri, .solid):not([disabled], [aria-disabled])')]
    .filter((button) => plain && isShown(button) && lookOf(button) === lookOf(plain))
    .map((button) => `in forced colours ${nameOf(button)} looks like any other button`);
  return [...bare, ...alike, ...primary];

  function isShown(part: Element): boolean {
    return part.checkVisibility({ visibilityProperty: true }) && part.getBoundingClientRect().width > 2;
  }

  /** Of a row that of its second cell: the first has what selects it. */
  function lookOf(part: Element): string {
    const box = part instanceof HTMLTableRowElement ? (part.cells[1] ?? part) : part;
    const style = getComputedStyle(box);
    const { backgroundColor, borderTop, borderBottom, outlineStyle } = style;
    // A border of no width has the colour of the text all the same.
    const borders = [borderTop, borderBottom].map((border) => (border.startsWith('0px') ? '' : border));
    // Nothing is nothing, whatever its colour would be.
    const ground = /, 0\)$/.test(backgroundColor) ? '' : backgroundColor;
    return [ground, ...borders, outlineStyle].join();
  }

  function textOf(part: Element): string {
    return part.textContent.trim().slice(0, 40);
  }

  function nameOf(part: Element): string {
    return `${[part.tagName.toLowerCase(), ...part.classList].join('.')} “${textOf(part)}”`;
  }
}
