import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Select } from './Select';

const options = ['day', 'week', 'month'].map((value) => ({ value, label: value.toUpperCase() }));
const listed = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

beforeEach(() => {
  vi.useFakeTimers();
  render(<Select label="Interval" value="week" options={options} onChange={() => undefined} />);
});
afterEach(() => {
  vi.useRealTimers();
});

test('a list comes with what is chosen, and with the rest when its page is painted', () => {
  expect(listed()).toEqual(['WEEK']);
  act(() => {
    vi.runAllTimers();
  });
  expect(listed()).toEqual(['DAY', 'WEEK', 'MONTH']);
});

test('a list that has the focus holds all there is', () => {
  fireEvent.focus(screen.getByRole('combobox', { name: 'Interval' }));
  expect(listed()).toEqual(['DAY', 'WEEK', 'MONTH']);
});
