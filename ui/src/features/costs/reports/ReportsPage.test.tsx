import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NameCell } from './ReportsPage';

const run = { id: 'r', due_at: '2026-11-02T06:00:00Z', is_manual: false, notice: null };

test('a report that was not sent says why in its row, to be read without a pointer', () => {
  const report = { name: 'Monthly costs', kind: 'costs' as const };
  render(<NameCell report={{ ...report, runs: [{ ...run, error: 'The channel was removed' }] }} />);
  expect(screen.getByText('The channel was removed')).toBeTruthy();
});
