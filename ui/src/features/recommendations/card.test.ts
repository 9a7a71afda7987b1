import { expect, test } from 'vitest';
import { cardOf, partOf } from './card';

test('a card of a rule is read with its calculation and its proof', () => {
  const card = cardOf({
    title: 'Change vol-1 from gp2 to gp3',
    change: 'Change gp2 to gp3',
    monthly_cost: 310,
    share: 0.2,
    period: { from: '2026-10-01', to: '2026-10-31', days: 31, cost: 310 },
    rule: { name: 'gp2_to_gp3', version: 1, source: 'https://example.com', about: 'gp2 costs more' },
    figures: [{ name: 'Cost', value: 310, unit: 'USD' }, { name: 'broken' }],
    verified_saving: {
      month: '2026-11',
      currency: 'USD',
      before: 310,
      after: 240,
      saved: 70,
      verdict: 'verified',
      months: [{ month: '2026-11', before: 310, after: 240, saved: 70 }],
    },
  });
  expect([card.monthlyCost, card.share, card.targetCost]).toEqual([310, 0.2, null]);
  expect(card.period).toEqual({ from: '2026-10-01', to: '2026-10-31' });
  expect([card.version, card.figures.length]).toEqual(['1', 1]);
  expect([card.proof?.verdict, card.proof?.saved, card.proof?.months.length]).toEqual(['verified', 70, 1]);
});

test('a card about a cluster says when that was seen', () => {
  const card = cardOf({ title: 'Set memory limits for web', seen_at: '2026-11-20T00:00:00', figures: [] });
  expect([card.seenAt, card.monthlyCost]).toEqual(['2026-11-20T00:00:00', null]);
});

test('what another tool wrote is no card', () => {
  const card = cardOf({ source: 'aws_compute_optimizer', current: {} });
  expect([card.title, card.monthlyCost, card.proof]).toEqual([null, null, null]);
  expect(cardOf(null).figures).toEqual([]);
});

test('the part that is saved has the digits that the saving is worked out with', () => {
  expect([1, '0.2', '0.283715', '0.0005'].map(partOf)).toEqual(['100.0%', '20.0%', '28.3715%', '0.05%']);
});
