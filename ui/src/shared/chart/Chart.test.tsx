import { fireEvent, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Chart, preloadChart } from './Chart';

afterEach(() => {
  vi.useRealTimers();
});

test('a chart whose drawing was loaded ahead is there with its page', async () => {
  await preloadChart();
  const { container } = render(
    <Chart
      label="Costs"
      days={['2026-01-01']}
      unit="day"
      kind="lines"
      series={[{ id: 'a', label: 'A', color: 1, values: ['1'] }]}
      format={String}
      formatTick={String}
    />,
  );
  expect(container.querySelector('.canvasbox')).toBeTruthy();
});

test('values that are read out go when the chart shows other days', () => {
  const chart = (days: string[]) => (
    <Chart
      label="Costs"
      days={days}
      unit="day"
      kind="stacked"
      series={[{ id: 'a', label: 'A', color: 1, values: days.map(() => '1') }]}
      format={String}
      formatTick={String}
    />
  );
  const { container, rerender } = render(chart(['2026-01-01', '2026-01-02', '2026-01-03']));
  const plot = container.querySelector('.plot');
  if (plot) fireEvent.keyDown(plot, { key: 'End' });
  expect(container.querySelector('.tip')?.textContent).toContain('3 Jan');
  rerender(chart(['2026-01-01', '2026-01-02', '2026-01-03']));
  expect(container.querySelector('.tip')).toBeTruthy();
  // Zoomed in on two days: there is no third one.
  rerender(chart(['2026-01-02', '2026-01-03']));
  expect(container.querySelector('.tip')).toBeNull();
});

test('what is read out names the year only where it is another one', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-30T08:00:00Z'), toFake: ['Date'] });
  const { container } = render(
    <Chart
      label="Costs"
      days={['2025-12-31', '2026-01-01']}
      unit="day"
      kind="lines"
      series={[{ id: 'a', label: 'A', color: 1, values: ['1', '2'] }]}
      format={String}
      formatTick={String}
    />,
  );
  const plot = container.querySelector('.plot') ?? document.body;
  const readOut = () =>
    [container.querySelector('.tip b'), container.querySelector('[aria-live]')].map((part) => part?.textContent);
  fireEvent.keyDown(plot, { key: 'End' });
  expect(readOut()).toEqual(['Thu 1 Jan', 'Thu 1 Jan, A 2']);
  fireEvent.keyDown(plot, { key: 'Home' });
  expect(readOut()).toEqual(['Wed 31 Dec 2025', 'Wed 31 Dec 2025, A 1']);
});
