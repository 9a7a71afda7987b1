import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ExportMenu } from './ExportMenu';
import { exports } from './exports';

afterEach(() => {
  cleanup();
  exports.set(null);
});

test('what an export would hold is worked out when somebody looks', async () => {
  const file = (says: string) => vi.fn(() => ({ name: 'a', says, sheet: { name: 'a', columns: [], rows: [] } }));
  const [table, chart] = [file('33 rows'), file('30 days')];
  exports.set({ table, chart, report: () => Promise.resolve({ title: 'a', sections: [] }) });
  render(<ExportMenu />);
  expect(table).not.toHaveBeenCalled();
  expect(chart).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Export' }));
  expect(screen.getAllByText('33 rows')).toHaveLength(3);
  expect(screen.getByText('30 days')).toBeTruthy();
});
