import type { Page } from 'playwright-core';

/** Least share of the height of a low window that the content gets once the page is scrolled. */
const leastShare = 2 / 3;

/** Fields that search the page that is open, and lie partly outside of the window. */
export function fieldsOutside(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('#main input[type=search], .bar input')]
      .filter((field) => field.checkVisibility({ visibilityProperty: true }))
      .map((field) => ({ name: field.ariaLabel ?? field.name, box: field.getBoundingClientRect() }))
      .filter(({ box }) => box.left < -1 || box.right > innerWidth + 1 || box.width < 80)
      .map(({ name, box }) => `the field “${name}” lies from ${Math.round(box.left)} to ${Math.round(box.right)} px`),
  );
}

/** Parts of a narrow page that show their whole only when somebody rolls them sideways, which nobody tries. */
export function rolling(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('html, #main, .bar, .tabs, .sectiontabs, #main .tw, #main .seg, #main .acts')]
      .filter((part) => part.checkVisibility({ visibilityProperty: true }))
      .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
      .map(
        (part) =>
          `${[part.tagName.toLowerCase(), ...part.classList].join('.')} rolls sideways: ${part.clientWidth} of ${part.scrollWidth} px`,
      ),
  );
}

/** Whether bars that stay take too much of the window that is open, scrolled as far as it goes, and whether the end of the rail can be reached. */
export async function crowded(page: Page): Promise<string[]> {
  const hidden = await page.evaluate(() => {
    const rail = document.querySelector('.rail');
    return rail && getComputedStyle(rail).overflowY === 'hidden' ? rail.scrollHeight - rail.clientHeight : 0;
  });
  const share = await page.evaluate(() => {
    const main = document.querySelector('#main');
    if (!main) return 1;
    const scrolls = (part: Element) =>
      part.scrollHeight > part.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(part).overflowY);
    const frame = document.querySelector('.main');
    const scrolled = [frame, main, ...main.querySelectorAll('*')].filter((part) => part !== null && scrolls(part));
    // What is whole in view needs no more room.
    if (scrolled.length === 0) return 1;
    if (frame) frame.scrollTop = frame.scrollHeight;
    const { top } = main.getBoundingClientRect();
    const end = frame?.getBoundingClientRect().bottom ?? innerHeight;
    if (frame) frame.scrollTop = 0;
    return (end - Math.max(top, 0)) / innerHeight;
  });
  return [
    ...(hidden > 1 ? [`${hidden} px of the rail are out of reach`] : []),
    ...(share < leastShare ? [`the content gets ${Math.round(share * 100)}% of a low window`] : []),
  ];
}
