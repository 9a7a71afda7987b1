import type { Page } from 'playwright-core';

/** Least share of a list that fills the page which its names get. */
const leastShare = 0.25;

/** Parts of panels that stand out of them, and lists whose names get less than a quarter of their width, on the page that is open. */
export function squeezed(page: Page): Promise<string[]> {
  return page.evaluate((leastShare) => {
    const name = (part: Element) => [part.tagName.toLowerCase(), ...part.classList].join('.');
    const isShown = (part: Element) => part.checkVisibility({ visibilityProperty: true });
    const out = [...document.querySelectorAll('#main .panel > *')]
      .filter((part) => isShown(part) && getComputedStyle(part).position !== 'absolute')
      .flatMap((part) => {
        const beyond = part.getBoundingClientRect().right - (part.parentElement?.getBoundingClientRect().right ?? 0);
        return beyond > 1 ? [`${name(part)} stands ${Math.round(beyond)} px out of its panel`] : [];
      });
    const lists = [...document.querySelectorAll('#main .fill > .tbl.fix')].filter(isShown).flatMap((list) => {
      const at = [...list.querySelectorAll('col')].findIndex((column) => !column.className && !column.style.width);
      const width = list.querySelectorAll('thead th')[at]?.getBoundingClientRect().width ?? Infinity;
      const share = width / list.getBoundingClientRect().width;
      return share < leastShare ? [`names of ${list.ariaLabel ?? ''} get ${Math.round(share * 100)}% of the list`] : [];
    });
    return [...out, ...lists];
  }, leastShare);
}
