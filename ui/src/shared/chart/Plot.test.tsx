import { act, render } from '@testing-library/react';
import uPlot from 'uplot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import Plot from './Plot';
import type { ChartProps } from './types';

// A real one draws on a canvas, which jsdom has not.
vi.mock('uplot', () => ({
  default: Object.assign(
    vi.fn(function (this: { width: number }, options: { width: number }) {
      const root = document.createElement('canvas');
      queueMicrotask(() => {
        drawnInPage.push(root.isConnected);
      });
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
/** Of each chart, whether it was in the page when it was drawn. */
const drawnInPage: boolean[] = [];

let called: () => void;
/** The browser lays the page out. */
const layOut = () =>
  act(async () => {
    called();
    await Promise.resolve();
  });
let width = 0;
beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(hears: () => void) {
        called = hears;
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

test('a chart that was left is there, as it was drawn, for whoever comes back to it', async () => {
  const show = async (change: Partial<ChartProps> = {}) => {
    const { container, unmount } = render(
      <Plot {...chart} {...change} height={200} at={null} onAt={() => undefined} />,
    );
    const isThereAtOnce = container.querySelector('canvas') !== null;
    width = 640;
    await layOut();
    unmount();
    return isThereAtOnce;
  };
  expect(await show()).toBe(false);
  expect(await show({ series: structuredClone([...chart.series]) })).toBe(true);
  expect(uPlot).toHaveBeenCalledTimes(1);

  // Other values, or others on the axis, are another chart; of more than two the oldest goes.
  expect(await show({ series: [] })).toBe(false);
  expect(destroyed).not.toHaveBeenCalled();
  expect(await show({ formatTick: (value) => `€${String(value)}` })).toBe(false);
  expect(destroyed).toHaveBeenCalledTimes(1);
  expect(await show()).toBe(false);
});

test('a chart is drawn when the page has been laid out, once, and again only for another width', async () => {
  const { container } = render(<Plot {...chart} days={['2026-02-01']} height={200} at={null} onAt={() => undefined} />);
  const drawn = vi.mocked(uPlot);
  const lay = (next: number) => {
    width = next;
    return layOut();
  };
  expect(drawn).not.toHaveBeenCalled();
  await lay(0);
  expect(drawn).not.toHaveBeenCalled();
  await lay(640);
  await lay(640);
  // Drawn first, in the page then.
  expect(drawnInPage.at(-1)).toBe(false);
  expect(container.querySelector('canvas')).not.toBeNull();
  expect(drawn.mock.calls.map(([options]) => options.width)).toEqual([640]);
  expect(sized).not.toHaveBeenCalled();
  await lay(500);
  expect(sized.mock.calls).toEqual([[{ width: 500, height: 200 }]]);
  expect(drawn).toHaveBeenCalledTimes(1);
});

test('the name of the first hour of a line has room beside the axis', async () => {
  width = 640;
  const days = ['2026-11-25T14:00:00', '2026-11-25T15:00:00'];
  render(<Plot {...chart} kind="lines" days={days} height={200} at={null} onAt={() => undefined} />);
  await layOut();
  const [options] = vi.mocked(uPlot).mock.lastCall ?? [];
  const size = options?.axes?.[1]?.size;
  if (typeof size !== 'function') throw new Error('no width of its own');
  // Half of "14:00 25 Nov", whose middle stands under the axis.
  expect(size({} as uPlot, ['0.4'], 1, 0)).toBe(39);
  expect(size({} as uPlot, ['$10,000,000'], 1, 0)).toBe(84);
});
