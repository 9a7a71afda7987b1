import { expect, test } from 'vitest';
import { costOf, postMortem } from './postmortem';
import type { PostMortemSource } from './postmortem';

const now = new Date('2026-11-26T08:00:00Z');
const known: PostMortemSource = {
  title: 'Pods restart in a loop',
  description: 'payments-api | restarts <b>31 times</b>',
  facts: [
    ['Severity', 'High'],
    ['Subject', 'payments / payments_api'],
  ],
  resolution: 'memory limit raised to 1 GiB',
  causes: {
    summary: 'A change came before it.',
    investigation: {
      hypotheses: [
        {
          rank: 1,
          claim: 'The memory limit is too low',
          reason: 'OOMKilled 31 times.',
          score: 80,
          likelihood: 'very_likely',
          evidence: ['E1'],
          against: ['C2'],
          next: 'Raise the limit to 1 GiB',
        },
      ],
      evidence: [{ id: 'E1', title: 'Last state' }],
      looked_at: {},
    },
  },
  timeline: [
    { at: '2026-11-20T06:38:00', text: 'Began', reason: null },
    { at: '2026-11-20T07:16:00', text: 'Resolved by a person', reason: 'limit raised' },
  ],
  findings: [
    { kind: 'object', title: 'Last state', facts: [{ name: 'reason', value: 'OOMKilled' }] },
    { kind: 'logs', title: 'Log', lines: [{ time: '', level: 'ERROR', text: 'a ``` fence' }] },
  ],
  related: { unread: 'the service is busy' },
  cost: null,
  tickets: [
    { name: 'OPS-1', url: 'https://tracker.example.com/OPS-1', status: 'Done' },
    { name: 'OPS-2', url: 'javascript:alert(1)', status: null },
  ],
};

test('a post-mortem says what is known, part by part', () => {
  const text = postMortem(known, 'https://console.example.com/events?id=1', now);
  expect(text.split('\n').filter((line) => line.startsWith('#'))).toEqual([
    '# Post-mortem: Pods restart in a loop',
    '## Summary',
    '## Likely cause',
    '## Timeline',
    '## Evidence',
    '## Related events',
    '## Cost',
    '## Tickets',
    '## Actions',
  ]);
  expect(text).toContain('1. **The memory limit is too low** (very likely, 80 of 100). OOMKilled 31 times.');
  expect(text).toContain('   - For it: E1 Last state\n   - Against it: C2');
  expect(text).toContain('| 20 Nov, 07:16 | Resolved by a person. limit raised |');
  expect(text).toContain('**Resolved:** memory limit raised to 1 GiB');
  expect(text).toContain('Could not be read: the service is busy');
  expect(text).toContain('- [ ] Raise the limit to 1 GiB\n- [ ] …');
  expect(text).toContain('No costs are imported for it.');
});

test('texts of others stay texts', () => {
  const text = postMortem(known, 'https://console.example.com/events?id=1', now);
  expect(text).toContain('payments-api \\| restarts \\<b\\>31 times\\</b\\>');
  expect(text).toContain('payments / payments\\_api');
  expect(text).toContain('````\nERROR a ``` fence\n````');
  expect(text).toContain('- [OPS-1](https://tracker.example.com/OPS-1), Done\n- OPS-2');
  expect(text).not.toContain('javascript:');
});

test('the cost is what was billed on its days, beside the days before, to the last digit', () => {
  const row = (day: string, amount: string, currency = 'USD') => ({
    currency_type: currency,
    spend_date: `${day}T00:00:00`,
    billed_cost: amount,
  });
  const cost = costOf(
    [
      row('2026-11-18', '10.10'),
      row('2026-11-19', '3.90'),
      row('2026-11-20', '30.000000001'),
      row('2026-11-21', '10'),
      row('2026-11-19', '5', 'EUR'),
    ],
    { of: 'Shop production', from: '2026-11-20', to: '2026-11-21', days: 7 },
  );
  // Nothing was billed in the other currency on these days.
  expect(cost.byCurrency).toEqual([
    { currency: 'USD', during: { amount: '40.000000001', days: 2 }, before: { amount: '14', days: 2 } },
  ]);
  const text = postMortem({ ...known, cost }, 'https://console.example.com', now);
  expect(text).toContain('| $40.00 | 2 | $20.00 | $7.00 | +$13.00 |');
  expect(postMortem({ ...known, cost: { ...cost, byCurrency: [] } }, 'https://x.example.com', now)).toContain(
    'No cost of Shop production is imported for 2026-11-20 to 2026-11-21.',
  );
});
