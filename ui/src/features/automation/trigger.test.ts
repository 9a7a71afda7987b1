import { expect, test } from 'vitest';
import { cronWords, triggerWords, triggersWords } from './trigger';

test.each([
  ['0 5 * * *', 'Every day, 05:00'],
  ['0 30 7 * * *', 'Every day, 07:30'],
  ['*/10 * * * *', 'Every 10 minutes'],
  ['50 * * * *', 'Every hour at :50'],
  ['0 * * * *', 'Every hour'],
  ['0 5 * * 1', 'Mondays, 05:00'],
  ['15 20 * * 1-5', 'Weekdays, 20:15'],
  ['0 6 1 * *', 'Day 1 of each month, 06:00'],
  // What has no short words stays as it was written.
  ['0 5 1-7 * 1', '0 5 1-7 * 1'],
  ['30 0 5 * * *', '30 0 5 * * *'],
  ['0 6,18 * * *', '0 6,18 * * *'],
  ['0 5 * 6 *', '0 5 * 6 *'],
])('the cron line %s is told as %s', (cron, words) => {
  expect(cronWords(cron)).toBe(words);
});

test('a trigger is told with what it listens to', () => {
  expect(triggerWords({ type: 'event', params: { event_type: ['oom', 'crash'] } })).toBe('Event: oom, crash');
  expect(triggerWords({ type: 'event', params: { filter: '{{ x }}' } })).toBe('Event that matches its filter');
  expect(triggerWords({ type: 'optimization', params: { categories: ['RightSizing'] } })).toBe(
    'Recommendation: RightSizing',
  );
  expect(triggerWords({ type: 'import', params: { formats: ['focus'] } })).toBe('Import: focus');
  expect(triggerWords({ type: 'budget', params: { budgets: 'Shop', percent: 80 } })).toBe('Budget: Shop from 80%');
  expect(triggerWords({ type: 'budget', params: {} })).toBe('Budget threshold reached');
  expect(triggerWords({ type: 'anomaly', params: null })).toBe('Anomaly');
  expect(triggerWords({ type: 'schedule', params: { cron: '0 5 * * *', timezone: 'Europe/Berlin' } })).toBe(
    'Every day, 05:00 (Europe/Berlin)',
  );
  expect(triggerWords({ type: 'schedule', params: { cron: 'CRON_TZ=Asia/Tokyo 0 5 * * *' } })).toBe(
    'Every day, 05:00 (Asia/Tokyo)',
  );
  expect(triggersWords(null)).toBe('By hand');
  expect(
    triggersWords([
      { type: 'manual', params: null },
      { type: 'webhook', params: {} },
    ]),
  ).toBe('By hand · Webhook');
});
