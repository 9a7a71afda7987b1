import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Thresholds } from './Thresholds';

const value = [
  { percent: '80', on: 'actual' as const },
  { percent: '100', on: 'forecast' as const },
];
const told = [
  { percent: '80', on: 'actual', reached_on: '2026-11-15' },
  { percent: '100', on: 'forecast', reached_on: '2026-11-26' },
];

test('a threshold tells the day it was reached, or is expected', () => {
  render(
    <Thresholds value={value} told={told} known="2026-11-19" problem={undefined} disabled={false} onChange={vi.fn()} />,
  );
  expect(screen.getByText(/^Reached on 15 Nov/)).toBeTruthy();
  expect(screen.getByText(/^Expected on 26 Nov/)).toBeTruthy();
});

test('thresholds are added, changed and removed', () => {
  const change = vi.fn();
  render(<Thresholds value={value} told={[]} known={null} problem={undefined} disabled={false} onChange={change} />);
  fireEvent.click(screen.getByRole('button', { name: 'Add threshold' }));
  expect(change).toHaveBeenLastCalledWith([...value, { percent: '', on: 'actual' }]);
  fireEvent.click(screen.getByRole('button', { name: 'Remove threshold 80%' }));
  expect(change).toHaveBeenLastCalledWith([value[1]]);
  const first = screen.getAllByRole('textbox', { name: 'Percent' })[0] ?? document.body;
  fireEvent.change(first, { target: { value: '85' } });
  expect(change).toHaveBeenLastCalledWith([{ percent: '85', on: 'actual' }, value[1]]);
});

test('who may not change a budget sees its thresholds', () => {
  render(<Thresholds value={value} told={[]} known={null} problem={undefined} disabled onChange={vi.fn()} />);
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.getAllByRole('textbox')).toHaveLength(2);
});
