import { expect, test } from 'vitest';
import type { Line } from './lines';
import { ticketOf } from './ticket';

const now = new Date('2026-11-25T12:00:00Z');
const line: Line = {
  id: '1',
  time: '2026-11-25T09:42:40.123',
  level: 'error',
  text: 'cannot reach the database\n  at shop.rs:7',
  labels: [
    ['pod', 'web-1'],
    ['namespace', 'shop'],
  ],
};

test('a ticket says where the line is from, and its last line finds it again', () => {
  const ticket = ticketOf(line, now);
  expect(ticket.title).toBe('web-1: cannot reach the database');
  expect(ticket.severity).toBe('High');
  expect(ticket.description.split('\n')).toEqual([
    'cannot reach the database',
    '  at shop.rs:7',
    '',
    expect.stringContaining('Error at '),
    'pod: web-1',
    'namespace: shop',
    '',
    'Log line of 2026-11-25T09:42:40.123 from web-1',
  ]);
  expect(ticket.description.endsWith(ticket.mark)).toBe(true);
});

test('very long messages are cut', () => {
  const ticket = ticketOf({ ...line, text: 'x'.repeat(20_000), labels: [] }, now);
  expect(ticket.title).toHaveLength(120);
  expect(ticket.description.length).toBeLessThan(8200);
});
