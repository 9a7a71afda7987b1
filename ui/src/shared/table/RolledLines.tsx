import type { Row } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useImperativeHandle } from 'react';
import type { ReactNode, Ref, RefObject } from 'react';

/** Lines drawn above and below those in view: it rolls without waiting for the page, which lags behind when it goes fast. */
const spare = 24;

/**
 * Of many lines those in view, with room for the others above and below them. Apart from its table, of which nothing else is drawn anew while it rolls.
 *
 * `roll` is handed what brings a line into view, by its index.
 */
export function RolledLines<Item>({
  lines,
  draw,
  rowHeight,
  scroller,
  roll,
}: {
  lines: readonly Row<Item>[];
  draw: (line: Row<Item>) => ReactNode;
  /** In px. */
  rowHeight: number;
  scroller: RefObject<HTMLElement | null>;
  roll: Ref<(index: number) => void>;
}) {
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: spare,
  });
  useImperativeHandle(
    roll,
    () => (index: number) => {
      virtualizer.scrollToIndex(index);
    },
    [virtualizer],
  );
  const items = virtualizer.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <>
      {above > 0 && <tr aria-hidden="true" style={{ height: above }} />}
      {items.map(({ index }) => {
        const line = lines[index];
        return line && draw(line);
      })}
      {below > 0 && <tr aria-hidden="true" style={{ height: below }} />}
    </>
  );
}
