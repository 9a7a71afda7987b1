import { fireEvent, render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Chart, preloadChart } from './Chart';

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
