import type { TableLine } from './lines';

/** The index of the first line in view, where keyboard navigation starts after scrolling far. */
export function firstInView<Row>(scroller: HTMLElement | null, lines: readonly TableLine<Row>[]): number {
  const below = scroller?.querySelector('thead')?.getBoundingClientRect().bottom ?? 0;
  const drawn = [...(scroller?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const first = drawn.find((line) => line.getBoundingClientRect().top >= below - 1)?.dataset['row'];
  return lines.findIndex(({ id }) => id === first);
}
