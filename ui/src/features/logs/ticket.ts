import { dateTimeZone } from '@/shared';
import { sourceOf } from './lines';
import type { Line } from './lines';
import { levelNames } from './words';

/** Letters of a message in the title of a ticket. */
const longestTitle = 120;
/** Letters of a message in its text: trackers refuse very long ones. */
const longestText = 8000;

export interface LineTicketText {
  title: string;
  description: string;
  severity: string;
  /** The last line of the description: it finds the tickets of a log line again. */
  mark: string;
}

const severities = { error: 'High', warn: 'Medium', info: 'Low', debug: 'Low' } as const;

/** The text of a ticket for a log line. */
export function ticketOf(line: Line, now: Date): LineTicketText {
  const source = sourceOf(line);
  const first = line.text.trim().split('\n')[0] ?? '';
  const title = `${source ? `${source}: ` : ''}${first}`;
  const mark = `Log line of ${line.time}${source ? ` from ${source}` : ''}`;
  const text = line.text.length > longestText ? `${line.text.slice(0, longestText)} …` : line.text;
  const facts = [
    `${levelNames[line.level]} at ${dateTimeZone(line.time, now)}`,
    ...line.labels.map(([name, value]) => `${name}: ${value}`),
  ];
  return {
    title: title.length > longestTitle ? `${title.slice(0, longestTitle - 2)} …` : title,
    description: [text, facts.join('\n'), mark].join('\n\n'),
    severity: severities[line.level],
    mark,
  };
}
