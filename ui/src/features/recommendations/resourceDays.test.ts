import { expect, it } from 'vitest';
import { cardOf } from './card';
import { costsOf, levelOf, shownDays } from './resourceDays';

it('shows 90 days, today included', () => {
  expect(shownDays('2026-06-30')).toEqual({ from: '2026-04-02', to: '2026-06-30' });
});

it('leaves days without a charge empty', () => {
  const rows = [{ spend_date: '2026-06-02T00:00:00', effective_cost: null, spend_amount: '1.50' }];
  expect(costsOf(rows, ['2026-06-01', '2026-06-02'])).toEqual([null, '1.50']);
});

it('draws the cost of a day after the change, exactly', () => {
  const card = cardOf({ monthly_cost: '62.00', period: { from: '2026-05-01', to: '2026-05-31' } });
  expect(Number(levelOf(card, '31.00'))).toBe(1);
  expect(levelOf(card, null)).toBeNull();
  expect(levelOf(cardOf({ monthly_cost: '62.00' }), '31.00')).toBeNull();
});
