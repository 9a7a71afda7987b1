import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { SidePanel } from './SidePanel';

const panel = (to: { onPrevious?: () => void; onNext?: () => void }) => (
  <SidePanel label="A row" head={<h2>A row</h2>} onClose={() => undefined} {...to}>
    What it is.
  </SidePanel>
);

test('at the end of a list the button to the next row stays, does nothing and keeps the focus', async () => {
  const previous = vi.fn();
  const next = vi.fn();
  const { rerender } = render(panel({ onPrevious: previous, onNext: next }));
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  expect(next).toHaveBeenCalledTimes(1);
  rerender(panel({ onPrevious: previous }));
  const last = screen.getByRole('button', { name: 'Next' });
  expect(last.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(last);
  expect([next.mock.calls.length, previous.mock.calls.length]).toEqual([1, 0]);
  expect(document.activeElement).toBe(last);
});

test('a form of something new has the focus in its first field', () => {
  const form = (isNew: boolean) => (
    <SidePanel label="New row" head={<h2>New row</h2>} isNew={isNew} onClose={() => undefined}>
      <input aria-label="Fixed" disabled />
      <input aria-label="Name" />
    </SidePanel>
  );
  const opened = render(form(false));
  expect(document.activeElement).toBe(document.body);
  opened.unmount();
  render(form(true));
  expect(document.activeElement).toBe(screen.getByLabelText('Name'));
});

test('what stands in no list has no steps', () => {
  render(panel({}));
  expect(screen.queryByRole('button', { name: 'Next' })).toBeNull();
});
