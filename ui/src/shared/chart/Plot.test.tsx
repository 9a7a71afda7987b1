import { act, render } from '@testing-library/react';
import uPlot from 'uplot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import Plot from './Plot';
import type { ChartProps } from './types';

// A real one draws on a canvas, which jsdom has not.
vi.mock('uplot', () => ({
  default: Object.assign(
    vi.fn(function (this: { width: number }, options: { width: number }, _data: unknown, box: HTMLElement) {
      const root = document.createElement('canvas');
      box.append(root);
      return Object.assign(this, {
        width: options.width,
        root,
        setSize: sized,
        redraw: vi.fn(),
        syncRect: vi.fn(),
        destroy: destroyed,
      });
    }),
    { paths: {} },
  ),
}));
const [sized, destroyed] = vi.hoisted(() => [vi.fn(), vi.fn()]);

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
  vi.clearAllMocks();
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

test('a chart that was left is there, as it was drawn, for whoever comes back to it', () => {
  const show = (change: Partial<ChartProps> = {}) => {
    const { container, unmount } = render(
      <Plot {...chart} {...change} height={200} at={null} onAt={() => undefined} />,
    );
    const isThereAtOnce = container.querySelector('canvas') !== null;
    width = 640;
    act(layOut);
    unmount();
    return isThereAtOnce;
  };
  expect(show()).toBe(false);
  expect(show({ series: structuredClone([...chart.series]) })).toBe(true);
  expect(uPlot).toHaveBeenCalledTimes(1);

  // Other values, or others on the axis, are another chart; of more than two the oldest goes.
  expect(show({ series: [] })).toBe(false);
  expect(destroyed).not.toHaveBeenCalled();
  expect(show({ formatTick: (value) => `€${String(value)}` })).toBe(false);
  expect(destroyed).toHaveBeenCalledTimes(1);
  expect(show()).toBe(false);
});

test('a chart is drawn when the page has been laid out, once, and again only for another width', () => {
  render(<Plot {...chart} days={['2026-02-01']} height={200} at={null} onAt={() => undefined} />);
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
