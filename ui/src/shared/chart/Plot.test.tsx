import { act, render } from '@testing-library/react';
import uPlot from 'uplot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import Plot from './Plot';
import type { ChartProps } from './types';

// A real one draws on a canvas, which jsdom has not.
vi.mock('uplot', () => ({
  default: Object.assign(
    vi.fn(function (this: { width: number }, options: { width: number }) {
      return Object.assign(this, { width: options.width, setSize: sized, redraw: vi.fn(), destroy: vi.fn() });
    }),
    { paths: {} },
  ),
}));
const sized = vi.hoisted(() => vi.fn());

let layOut: () => void;
let width = 0;
beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(called: () => void) {
        layOut = called;
      }
      observe() {}
      disconnect() {}
    },
  );
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockImplementation(() => width);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const chart: ChartProps = {
  label: 'Costs',
  days: ['2026-01-01'],
  unit: 'day',
  kind: 'stacked',
  series: [{ id: 'a', label: 'A', color: 1, values: ['1'] }],
  format: String,
  formatTick: String,
};

test('a chart is drawn when the page has been laid out, once, and again only for another width', () => {
  render(<Plot {...chart} height={200} at={null} onAt={() => undefined} />);
  const drawn = vi.mocked(uPlot);
  const lay = (next: number) => {
    width = next;
    act(layOut);
  };
  expect(drawn).not.toHaveBeenCalled();
  lay(0);
  expect(drawn).not.toHaveBeenCalled();
  lay(640);
  lay(640);
  expect(drawn.mock.calls.map(([options]) => options.width)).toEqual([640]);
  expect(sized).not.toHaveBeenCalled();
  lay(500);
  expect(sized.mock.calls).toEqual([[{ width: 500, height: 200 }]]);
  expect(drawn).toHaveBeenCalledTimes(1);
});
