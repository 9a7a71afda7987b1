import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Choice } from '@/api';
import { ChoiceList, isList } from './ChoiceList';

const choices = ['USD', 'EUR', 'GBP', 'CHF', 'SEK'].map(
  (label) => ({ choice: `currency_${label.toLowerCase()}`, label, totals: [] }) as unknown as Choice,
);

test('many choices without totals are a list; few, or any with totals, stand side by side', () => {
  expect(isList(choices)).toBe(true);
  expect(isList(choices.slice(0, 2))).toBe(false);
  const [first, ...rest] = choices;
  const totals = [{ period: '2026-05', currency: 'USD', before: '0', after: '1' }];
  expect(isList([{ ...first, totals } as Choice, ...rest])).toBe(false);
});

test('nothing is chosen before a person does, and the button says what it does', async () => {
  const chosen = vi.fn();
  render(<ChoiceList choices={choices} reason={undefined} isBusy={false} onChoose={chosen} />);
  expect((screen.getByRole('button', { name: 'Import' }) as HTMLButtonElement).disabled).toBe(true);
  await userEvent.selectOptions(screen.getByLabelText('Answer'), 'CHF');
  await userEvent.click(screen.getByRole('button', { name: 'Import in CHF' }));
  expect(chosen).toHaveBeenCalledWith('currency_chf');
});
