import { longDay, money, plural } from '@/shared';
import { amountOf, stepName } from './amount';
import { titleOf } from './row';
import type { Row } from './row';

/** The last line of the text of a ticket: it finds the tickets of an anomaly again. */
export function markOf(anomaly: string): string {
  return `Anomaly ${anomaly}`;
}

/** The text of a ticket for an anomaly: what happened, where, by how much, and the computation. */
export function ticketOf(row: Row): { title: string; description: string } {
  const { currency, worst, impact } = row;
  const direction = Number(impact) < 0 ? 'less' : 'more';
  const steps = plural(row.reference.run.length, row.isHourly ? 'hour' : 'day');
  const against = `Against expected: ${money(impact, currency, { sign: true })} (${direction} in ${steps})`;
  const facts = [
    `Account: ${row.account}`,
    `Days: ${longDay(row.from)} to ${longDay(row.to)}`,
    // Only money is added up.
    ...(row.kind === 'cost' ? [against] : []),
    `On ${stepName(worst.date)}: ${amountOf(row, worst.actual)}, expected ${amountOf(row, worst.expected)}`,
  ];
  return { title: titleOf(row), description: [facts.join('\n'), markOf(row.id)].join('\n\n') };
}
