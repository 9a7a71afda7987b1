import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Drivers } from './Drivers';
import type { Row } from './row';

test('a share that would be written as nought is told to be small, whichever way it goes', () => {
  const driver = (name: string, amount: string) => ({ dimension: 'resource', name, amount });
  const rows = [driver('web-1', '1828.23'), driver('covered', '-0.52'), driver('archive', '-0.04')];
  render(<Drivers rows={rows} row={{ impact: '1827.67', currency: 'USD' } as Row} />);
  const shares = [...document.querySelectorAll('.part')].map((part) => part.textContent);
  expect(shares).toEqual(['100.0%', '<0.1%', '<0.1%']);
});
