import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { Computed } from './Computed';
import { floorOf } from './floor';
import { rowOf } from './row';

/** Eight Mondays before a rise, as the card of the sample data has them. */
const mondays = ['3.49', '3.49', '3.53', '3.54', '3.28', '3.52', '4.85', '8.00'];
const reference = {
  rule: 'A: same weekday',
  run: [
    { date: '2026-11-02', actual: '9.81', expected: '3.525' },
    { date: '2026-11-03', actual: '11.31', expected: '3.555' },
  ],
  values: mondays.map((value, week) => ({
    date: new Date(Date.UTC(2026, 8, 7 + 7 * week)).toISOString().slice(0, 10),
    value,
    weight: 1,
  })),
  expected: '3.525',
  mad: '0.035',
  floor: '0.22239',
  spread: '0.22239',
  factor: '3.5',
  min_percent: 15,
  min_amount: 5,
};

function row(change: object = {}) {
  const stored = {
    id: 'a',
    account_id: 'account',
    scope: 'service',
    name: 'Cloud Logging',
    namespace: null,
    anomaly_type: 'CloudSpendService',
    currency: 'USD',
    current_value: '9.81',
    started_on: '2026-11-02',
    ended_on: '2026-11-03',
    state: 'OVER',
    impact: '14.04',
    feedback: null,
    created_at: '2026-11-30T06:14:00',
    rule_version: 'cost-5',
    reference_value: { ...reference, ...change },
  };
  const found = rowOf(stored, new Map(), new Date('2026-11-30T12:00:00Z'));
  if (!found) throw new Error('no row');
  return found;
}

test('every number of a verdict stands with as many digits as the next one is worked out from', () => {
  render(<Computed row={row()} />);
  const text = document.body.textContent;
  // 9.81 − 3.525 = 6.285, and 6.285 / 0.2224 = 28.3; from $3.53 and $0.22 a calculator comes to neither.
  for (const step of ['$3.525', '$0.035', '$0.2224', '$6.285', '28.3 times', '−$1.475 – $8.525'])
    expect(text).toContain(step);
  expect(screen.queryByText('× 1')).toBeNull();
});

test('the days of an anomaly stand with what they differ by, which adds up to its impact', () => {
  render(<Computed row={row()} />);
  const cells = [...document.querySelectorAll('details:last-of-type tr')].map((line) =>
    [...line.children].map((cell) => cell.textContent),
  );
  expect(cells.slice(1).map((line) => line.at(-1))).toEqual(['+$6.285', '+$7.755', '+$14.04']);
});

test('a later day is worked out from what it was compared with itself', async () => {
  const tuesdays = ['3.51', '3.55', '3.55', '3.56', '3.60'];
  const compared = {
    ...reference,
    values: tuesdays.map((value, week) => ({
      date: new Date(Date.UTC(2026, 8, 29 + 7 * week)).toISOString().slice(0, 10),
      value,
      weight: 1,
    })),
    expected: '3.555',
    mad: '0.01',
    floor: '0.1422',
    spread: '0.1422',
  };
  const [monday, tuesday] = reference.run;
  render(<Computed row={row({ run: [monday, { ...tuesday, compared }] })} />);
  expect(screen.queryByText(/not stored/)).toBeNull();
  const days = screen.getByRole('combobox', { name: 'Day' });
  await userEvent.click(days);
  await userEvent.selectOptions(days, '2026-11-03');
  const text = document.body.textContent;
  // 11.31 − 3.555 = 7.755, and 7.755 / 0.1422 = 54.5
  for (const step of ['the median of 5 days', '$3.555', '$0.1422', '4% of the expected value', '$7.755', '54.5 times'])
    expect(text).toContain(step);
});

test('days of which it is not kept what they were compared with are named', () => {
  const view = render(<Computed row={row()} />);
  expect(view.container.textContent).toContain('was not stored then. The next import stores it.');
  expect(screen.queryByRole('combobox')).toBeNull();
  view.rerender(<Computed row={row({ not_compared: { from: '2026-11-03', to: '2026-11-03' } })} />);
  expect(view.container.textContent).toContain('is not stored from Tue 3 Nov on');
});

test('the days that a floor was taken from stand with what they differ by', () => {
  const unrestDays = ['3.00', '4.00', '3.00', '4.30', '3.50', '4.00'].map((value, day) => ({
    // Mondays and Tuesdays of three weeks.
    date: `2026-10-${String(5 + 7 * Math.floor(day / 2) + (day % 2)).padStart(2, '0')}`,
    value,
  }));
  const outside = { date: '2026-09-28', value: '99' };
  // Mondays 3, 3, 3.5; Tuesdays 4, 4.3, 4: the distances are 0, 0, 0.5, 0, 0.3, 0 and their median is 0.
  const unrest = { from: '2026-10-05', to: '2026-10-20', amount: '0' };
  render(<Computed row={row({ unrest, unrest_days: [outside, ...unrestDays] })} />);
  const table = screen.getByText('The days behind its floor').closest('details');
  const lines = [...(table?.querySelectorAll('tbody tr') ?? [])].map((line) =>
    [...line.children].slice(1).map((cell) => cell.textContent),
  );
  expect(lines).toHaveLength(6);
  expect(lines[4]).toEqual(['$3.50', '$3.00', '$0.50']);
  expect(lines[3]).toEqual(['$4.30', '$4.00', '$0.30']);
  expect(table?.querySelector('tfoot')?.textContent).toContain('$0.00');
});

test('what false alarms have raised stands beside the first day, and later ones say that it is not theirs', async () => {
  const compared = { ...reference };
  const [monday, tuesday] = reference.run;
  const verdicts = { wrong: 2, percent: 200, factor: '3.5' };
  render(<Computed row={row({ factor: 7, verdicts, run: [monday, { ...tuesday, compared }] })} />);
  const raised = 'more than 7 times counts (3.5, and half as much more for 2 false alarms before)';
  expect(document.body.textContent).toContain(raised);
  const days = screen.getByRole('combobox', { name: 'Day' });
  await userEvent.click(days);
  await userEvent.selectOptions(days, '2026-11-03');
  expect(document.body.textContent).toContain('more than 3.5 times counts, from');
  expect(document.body.textContent).toContain('not for later days');
});

test('a first of the month is told beside the days of its weekday, too', () => {
  const ordinary = { ...reference, expected: '4', spread: '0.5', values: reference.values.slice(0, 2) };
  render(<Computed row={row({ rule: 'A: month starts', ordinary })} />);
  // 9.81 − 4
  for (const text of [
    'Distance among days of its weekday',
    '$5.81',
    'with a spread of $0.50',
    'The days of its weekday',
  ])
    expect(document.body.textContent).toContain(text);
});

test('where the floor of the spread comes from is said', () => {
  // 0.22239 / 1.4826 = 0.15
  expect(floorOf(row())).toBe('1.4826 × $0.15, the usual difference of its days from the median of their weekday');
  expect(floorOf(row({ floor: '0.141' }))).toBe('4% of the expected value');
  // 8.00 − 3.28 = 4.72
  expect(floorOf(row({ floor: '0.0944' }))).toBe('2% of the range from lowest to highest');
  expect(floorOf(row({ floor: '0.01' }))).toBe('the minimum');
  expect(floorOf(row({ floor: '0.17625', rule: 'A: last 14 days' }))).toBe('5% of the expected value');
});
