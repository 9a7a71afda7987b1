import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { drawForTest } from '../drawForTest';
import { ChannelTable } from './ChannelTable';
import { History } from './History';
import type { Channel, Notice } from './queries';

const refusal = 'Nobody answers at ops.example (Connection refused)';
const notice: Notice = {
  id: 'n1',
  subject: 'anomaly',
  severity: 'warning',
  title: 'Amazon RDS cost USD 343.40 more than expected',
  link: '/costs/anomalies',
  raised_at: '2026-11-19T06:12:00Z',
  ended_at: null,
  deliveries: [
    {
      id: 'd1',
      state: 'waiting',
      sent_at: null,
      due_at: '2026-11-19T06:20:00Z',
      error: refusal,
      channel: { name: 'Ops' },
    },
    {
      id: 'd2',
      state: 'failed',
      sent_at: null,
      due_at: '2026-11-19T06:20:00Z',
      error: 'HTTP 404',
      channel: { name: 'Chat' },
    },
  ],
};
const channel: Channel = {
  id: 'c1',
  name: 'Ops',
  kind: 'webhook',
  target: 'ops.example',
  settings: {},
  is_active: true,
  subjects: ['anomaly'],
  quiet_from: null,
  quiet_until: null,
  last_sent_at: null,
  last_error: refusal,
};
const none = { error: null, retry: () => undefined };

/** What is to be seen without a pointer: not what only a screen reader is told. */
const seen = async (text: string) => (await screen.findByText(text)).closest('.sr, [hidden]') === null;

test('why a notice was not taken is to be read, and whether it is tried again', async () => {
  drawForTest('/settings/notifications', () => <History rows={[notice]} {...none} />);
  expect(await seen(`Retried for a day: ${refusal}`)).toBe(true);
  expect(await seen('Not sent: HTTP 404')).toBe(true);
  expect(await seen('Anomalies')).toBe(true);
});

test('a failing channel says why', async () => {
  drawForTest('/settings/notifications', () => (
    <ChannelTable rows={[channel]} {...none} onChange={() => undefined} onAdd={() => undefined} />
  ));
  expect(await seen(refusal)).toBe(true);
});
