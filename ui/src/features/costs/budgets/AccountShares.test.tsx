import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AccountShares } from './AccountShares';
import { budgetForTest } from './budget.fixture';

test('a project shows what it has spent of what it may spend in each account', () => {
  const open = { from: null, until: null };
  const budget = budgetForTest({
    project_id: 'p1',
    accounts: [
      { account_id: 'a1', name: 'Analytics', percent: '40', budget: '100', spent: '125', ...open },
      { account_id: 'a2', name: 'Research', percent: '100', budget: null, spent: '7', ...open, from: '2026-11-06' },
    ],
  });
  render(<AccountShares budget={budget} several={false} />);
  const [, first, second] = screen.getAllByRole('row');
  expect(first?.textContent).toContain('Analytics40%');
  expect(within(first ?? document.body).getByText('125.0%').className).toContain('up');
  expect(second?.textContent).toMatch(/Research100%, from 6 Nov.*Not set/);
});
