import { render } from '@testing-library/react';
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
