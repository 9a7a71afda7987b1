import type { Page } from 'playwright-core';

/** Texts of buttons, labels, headings, tiles and table heads that are cut on the page that is open, and whether it scrolls sideways. */
export function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(find);
}

/** Runs in the page. */
function find(): string[] {
  const labels = 'button, a, label, summary, h1, h2, h3, h4, th, [role=tab], .crumb, .badge, .chip, .kpi, .tile';
  // What is drawn on its own ground: its text may not lie beside it.
  const boxes = 'button, .btn, th, [role=tab], .badge, .chip, .kpi, .tile';
  const found = new Set<string>();
  const styles = new Map<Element, CSSStyleDeclaration>();
  const range = document.createRange();

  for (const part of [document.documentElement, document.querySelector('#main')])
    if (part && part.scrollWidth > part.clientWidth + 1)
      found.add(`the page scrolls sideways: ${nameOf(part)} shows ${part.clientWidth} of ${part.scrollWidth} px`);

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.nodeValue?.trim() ?? '';
    const parent = texts.currentNode.parentElement;
    const label = parent?.closest(labels);
    if (text === '' || !parent || !label) continue;
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    range.selectNodeContents(texts.currentNode);
    const how = [...range.getClientRects()].map((rect) => faultOf(rect, parent)).find((fault) => fault !== undefined);
    if (how !== undefined) found.add(`“${text}” of ${nameOf(label)} ${how}`);
  }
  return [...found];

  function faultOf(rect: DOMRect, parent: Element): string | undefined {
    if (rect.width === 0) return undefined;
    // For screen readers only.
    for (let part: Element | null = parent; part; part = part.parentElement)
      if (styleOf(part).clipPath !== 'none') return undefined;
    for (let part: Element | null = parent; part; part = part.parentElement) {
      const { overflowX, overflowY, textOverflow, position } = styleOf(part);
      if (overflowX === 'visible' && part.matches(boxes) && isBeyond(rect, part.getBoundingClientRect()))
        return `is wider than ${nameOf(part)}`;
      if (position === 'fixed') return undefined;
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      const inner = innerOf(part);
      const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll';
      if (!scrolls(overflowX) && isBeyond(rect, inner)) {
        if (textOverflow !== 'ellipsis') return `is cut by ${nameOf(part)}`;
        const isToldWhole = part.closest('[title]') !== null || part.querySelector('[title]') !== null;
        return isToldWhole ? undefined : `is cut by ${nameOf(part)} and has no title`;
      }
      if (scrolls(overflowX) || scrolls(overflowY)) return undefined;
      if (rect.top < inner.top - 3 || rect.bottom > inner.bottom + 3) return `is cut in height by ${nameOf(part)}`;
    }
    return undefined;
  }

  function isBeyond(rect: DOMRect, { left, right }: { left: number; right: number }): boolean {
    return rect.right > right + 1 || rect.left < left - 1;
  }

  function innerOf(part: Element) {
    const { left, top } = part.getBoundingClientRect();
    const [x, y] = [left + part.clientLeft, top + part.clientTop];
    return { left: x, top: y, right: x + part.clientWidth, bottom: y + part.clientHeight };
  }

  function styleOf(part: Element): CSSStyleDeclaration {
    const style = styles.get(part) ?? getComputedStyle(part);
    styles.set(part, style);
    return style;
  }

  function nameOf(part: Element): string {
    return [part.tagName.toLowerCase(), ...part.classList].join('.');
  }
}
