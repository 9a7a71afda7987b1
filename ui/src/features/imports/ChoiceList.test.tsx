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

test('nothing is chosen before a person does, which the page says, and the button says what it does', async () => {
  const chosen = vi.fn();
  render(<ChoiceList of="currency" choices={choices} reason={undefined} isBusy={false} onChoose={chosen} />);
  const button = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Import/ });
  expect([button().disabled, button().title]).toEqual([true, 'Choose the currency first']);
  expect(screen.getByText('Choose the currency first')).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText('Currency'), 'CHF');
  expect(screen.queryByText('Choose the currency first')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Import in CHF' }));
  expect(chosen).toHaveBeenCalledWith('currency_chf');
});

test('of clusters, the button does not read as if it were a currency', async () => {
  const clusters = ['That of prod', 'That of test', 'Another cluster'].map(
    (label, at) => ({ choice: `cluster_${String(at)}`, label, totals: [] }) as unknown as Choice,
  );
  render(
    <ChoiceList of="which_cluster" choices={clusters} reason={undefined} isBusy={false} onChoose={() => undefined} />,
  );
  await userEvent.selectOptions(screen.getByLabelText('Cluster'), 'That of prod');
  expect(screen.getByRole('button').textContent).toBe('Import');
});

test('who may not import is told that, and not to choose', () => {
  render(
    <ChoiceList of="currency" choices={choices} reason="Your role is read-only" isBusy={false} onChoose={vi.fn()} />,
  );
  expect(screen.getByRole('button').title).toBe('Your role is read-only');
  expect(screen.queryByText(/Choose the/)).toBeNull();
});
