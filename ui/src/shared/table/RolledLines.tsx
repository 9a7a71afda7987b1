import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useImperativeHandle } from 'react';
import type { ReactNode, Ref, RefObject } from 'react';
import type { TableLine } from './lines';

/** Lines drawn above and below those in view: it rolls without waiting for the page, which lags behind when it goes fast. */
const spare = 24;

/**
 * Of many lines those in view, with room for the others above and below them. Apart from its table, of which nothing else is drawn anew while it rolls.
 *
 * `roll` is handed what brings a line into view, by its place in the list.
 */
export function RolledLines<Item>({
  lines,
  first,
  total,
  onView,
  draw,
  blank,
  rowHeight,
  scroller,
  roll,
}: {
  /** The loaded lines. */
  lines: readonly TableLine<Item>[];
  /** The place of the first of them in the list. */
  first: number;
  /** Lines of the whole list. */
  total: number;
  /** Called with the first and last rendered index. */
  onView: ((first: number, last: number) => void) | undefined;
  draw: (line: TableLine<Item>, place: number) => ReactNode;
  /** Renders a line that is not loaded. */
  blank: (place: number) => ReactNode;
  /** In px. */
  rowHeight: number;
  scroller: RefObject<HTMLElement | null>;
  roll: Ref<(place: number) => void>;
}) {
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: spare,
  });
  useImperativeHandle(
    roll,
    () => (place: number) => {
      virtualizer.scrollToIndex(place);
    },
    [virtualizer],
  );
  const items = virtualizer.getVirtualItems();
  const [from, until] = [items[0]?.index, items.at(-1)?.index];
  useEffect(() => {
    if (from !== undefined && until !== undefined) onView?.(from, until);
  }, [from, until, onView]);
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <>
      {above > 0 && <tr aria-hidden="true" style={{ height: above }} />}
      {items.map(({ index }) => {
        const line = lines[index - first];
        return line ? draw(line, index) : blank(index);
      })}
      {below > 0 && <tr aria-hidden="true" style={{ height: below }} />}
    </>
  );
}
