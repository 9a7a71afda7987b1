import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { ProposalRow } from './queries';
import { UnpricedTable } from './UnpricedTable';

afterEach(cleanup);

const row = (service: string, days: number, cost: string, discount: string | null = null) =>
  ({ currency: 'USD', service_name: service, family: null, days, eligible_cost: cost, discount }) as ProposalRow;

test('services without a known discount stand once, with what they cost, and what is missing is said once for all', async () => {
  const onChoose = vi.fn();
  render(
    <UnpricedTable
      rows={[
        row('EC2', 30, '7665.30', '0.284'),
        row('RDS', 30, '3528.22'),
        row('RDS', 60, '7085.25'),
        row('S3', 30, '1566.15'),
        row('S3', 60, '3151.62'),
      ]}
      onChoose={onChoose}
    />,
  );
  const [, ...lines] = within(screen.getByRole('table')).getAllByRole('row');
  expect(
    lines.map((line) =>
      within(line)
        .getAllByRole('cell')
        .slice(0, 3)
        .map((cell) => cell.textContent),
    ),
  ).toEqual([
    ['RDS', '$3,528.22', '$7,085.25'],
    ['S3', '$1,566.15', '$3,151.62'],
  ]);
  expect(document.body.textContent).not.toContain('–');
  expect(screen.getAllByText(/import a bill .* \(FOCUS with CommitmentDiscountId\)/)).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Enter the discount of S3' }));
  expect(onChoose).toHaveBeenCalledWith(expect.objectContaining({ service: 'S3', currency: 'USD' }));
});
