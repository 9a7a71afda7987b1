import { expect, test } from 'vitest';
import { ofAbout, ofBudgets, ofEvents, ofFreshness, ofMonths, ofRecommendations } from './entries';

const shown = (entries: ReturnType<typeof ofMonths>) =>
  entries.map(({ label, figure }) => [label, 'value' in figure ? figure.value : Object.values(figure)[1]]);

test('a version that does not tell its schema has no line of it', () => {
  const about = { name: '', version: '0.1.0', instance: '', data_dir: null, sign_in: { token: true, saml: false } };
  expect(shown(ofAbout(about))).toEqual([['Product version', '0.1.0']]);
  expect(shown(ofAbout({ ...about, schema_version: 4 }))).toContainEqual(['Schema version', 4]);
});

test('nothing imported is no day', () => {
  expect(ofFreshness({ spend_groupings_v2: { rows: [] }, imports_v2: { rows: [] } })).toEqual([]);
});

test('months stand by themselves for each currency, the newest first', () => {
  const row = (spend_date: string, currency_type: string, billed_cost: string) => ({
    spend_date,
    currency_type,
    billed_cost,
  });
  const entries = ofMonths({
    spend_groupings_v2: {
      rows: [
        row('2026-09-01T00:00:00', 'USD', '10.123456789012345678'),
        row('2026-10-01T00:00:00', 'USD', '3.5'),
        row('2026-10-01T00:00:00', 'EUR', '4'),
      ],
    },
  });
  const ordered = [...entries].sort((one, other) => ((one.rank ?? '') < (other.rank ?? '') ? -1 : 1));
  expect(shown(ordered)).toEqual([
    ['October 2026, EUR', '4'],
    ['October 2026, USD', '3.5'],
    ['September 2026, USD', '10.123456789012345678'],
  ]);
});

test('recommendations that are open count, and their savings are added in each currency by itself', () => {
  const row = (status: string, currency: string, count: number, sum_all_savings: string | null) => ({
    category: 'RightSizing',
    status,
    is_dismissed: false,
    currency,
    count,
    sum_all_savings,
  });
  const entries = ofRecommendations({
    recommendation_groupings_v2: {
      rows: [
        row('Open', 'USD', 2, '10.01'),
        row('Assigned', 'USD', 1, '0.02'),
        row('Open', 'EUR', 1, '7'),
        row('Closed', 'USD', 9, '900'),
        row('Open', 'USD', 3, null),
      ],
    },
  });
  expect(shown(entries)).toEqual([
    ['Open', 7],
    ['Savings per month, USD', '10.03'],
    ['Savings per month, EUR', '7'],
    ['Right-sizing', 7],
  ]);
});

test('an instance that has events of one state has none of the others', () => {
  const entries = ofEvents({ event_groupings_v2: { rows: [{ status: 'FIRING', event_count: 3 }] } });
  expect(shown(entries)).toEqual([
    ['Firing', '3'],
    ['Resolved', '0'],
    ['Closed', '0'],
  ]);
});

test('budgets that are over are named with what was spent', () => {
  const row = (name: string, state: 'ok' | 'crossed') => ({
    name,
    amount: 100,
    currency: 'USD',
    spent: '120.5',
    from: '2026-11-01',
    until: '2026-11-30',
    state,
  });
  expect(shown(ofBudgets({ spend_budgets: { rows: [row('Team', 'crossed'), row('All', 'ok')] } }))).toEqual([
    ['Budgets', 2],
    ['Over', 1],
    ['Expected to go over', 0],
    ['Near', 0],
    ['Team, spent', '120.5'],
  ]);
});
