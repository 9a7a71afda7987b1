import { longDay, money, plural } from '@/shared';
import { titleOf } from './row';
import type { Row } from './row';

/** The last line of the text of a ticket: it finds the tickets of an anomaly again. */
export function markOf(anomaly: string): string {
  return `Anomaly ${anomaly}`;
}

/** What a ticket says of an anomaly: what happened, where, by how much, and on what the verdict rests. */
export function ticketOf(row: Row): { title: string; description: string } {
  const { currency, worst, impact } = row;
  const direction = Number(impact) < 0 ? 'less' : 'more';
  const facts = [
    `Account: ${row.account}`,
    `Days: ${longDay(row.from)} to ${longDay(row.to)}`,
    `Against expected: ${money(impact, currency, { sign: true })} (${direction} in ${plural(row.reference.run.length, 'day')})`,
    `On ${longDay(worst.date)}: ${money(worst.actual, currency)}, expected ${money(worst.expected, currency)}`,
  ];
  return { title: titleOf(row), description: [facts.join('\n'), markOf(row.id)].join('\n\n') };
}
