import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useCurrentInView } from './useCurrentInView';

function Tabs({ at }: { at: string }) {
  const row = useCurrentInView<HTMLDivElement>(at);
  return (
    <div role="tablist" ref={row} data-testid="row">
      {['near', 'far'].map((name) => (
        <button key={name} role="tab" aria-selected={name === at}>
          {name}
        </button>
      ))}
    </div>
  );
}

test('the tab in front is brought into view, and the row stays where the tab is', () => {
  // The row is 390 wide; the second tab begins at 800.
  const place = (left: number, width: number) => ({ left, right: left + width }) as DOMRect;
  const old = Element.prototype.getBoundingClientRect;
  Element.prototype.getBoundingClientRect = function (this: Element) {
    return this.getAttribute('role') === 'tab' ? place(this.textContent === 'far' ? 800 : 10, 100) : place(0, 390);
  };
  try {
    const { rerender } = render(<Tabs at="near" />);
    expect(screen.getByTestId('row').scrollLeft).toBe(0);
    rerender(<Tabs at="far" />);
    // Its middle, 850, comes to the middle of the row, 195.
    expect(screen.getByTestId('row').scrollLeft).toBe(655);
  } finally {
    Element.prototype.getBoundingClientRect = old;
  }
});
