import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Refusal } from './Refusal';
import { report } from './reportForTest';

const refused = (wanted: string[]) =>
  report({
    state: 'failed',
    error: { message: 'the file is a CSV', looked_for: wanted, found: 'a CSV with the columns a, b' },
  });

test('of many formats the names are told, not what each needs', () => {
  const formats = [
    'FOCUS costs: CSV with BilledCost',
    'Trivy report: JSON',
    'KRR: JSON',
    'Popeye: JSON',
    'Checkov: JSON',
  ];
  render(<Refusal report={refused(formats)} />);
  expect(screen.getByText(/^FOCUS costs, Trivy report, KRR, Popeye, Checkov\. /)).toBeTruthy();
});

test('of a few each is told as it is', () => {
  render(<Refusal report={refused(['a column BilledCost', 'a column ServiceName'])} />);
  expect(screen.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
    'A column BilledCost',
    'A column ServiceName',
  ]);
});
