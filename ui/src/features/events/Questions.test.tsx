import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { SnoozeDialog } from './Questions';
import type { Row } from './row';

const row = { id: 'e1', stored: { title: 'Requests to cart fail' } } as unknown as Row;

test('a time that is offered is chosen and taken by two presses of Enter, and is marked', async () => {
  const onAct = vi.fn();
  render(<SnoozeDialog rows={[row]} onAct={onAct} onClose={() => undefined} />);
  const offers = () => screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent);
  expect(offers()).toEqual(['4 hours']);
  screen.getByRole('button', { name: '1 day' }).focus();
  await userEvent.keyboard('{Enter}');
  expect(offers()).toEqual(['1 day']);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Snooze' }));
  await userEvent.keyboard('{Enter}');
  expect(onAct).toHaveBeenCalledWith({ kind: 'snooze', until: expect.any(String) as string });
  const [{ until }] = onAct.mock.calls[0] as [{ until: string }];
  const hours = (Date.parse(until) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThan(24.1);
});
