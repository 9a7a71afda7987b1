import type { Causes, Numeric } from '@/shared';
import { compare, dateTime, dateTimeZone, divide, likelihoods, money, subtract, sum, zone } from '@/shared';
import type { Finding } from './evidence';
import { fenced, inline, list, table } from './markdown';

/** The data of a post-mortem. A part that could not be loaded is replaced by the reason. */
export interface PostMortemSource {
  title: string;
  description: string | null;
  /** Names and values of the event's data, in order. */
  facts: readonly (readonly [name: string, value: string])[];
  /** The resolution text, if any. */
  resolution: string | null;
  causes: Causes | ReadFailure;
  timeline: readonly { at: string | null; text: string; reason: string | null }[] | ReadFailure;
  findings: readonly Finding[];
  related: readonly { title: string; why: string; at: string | null }[] | ReadFailure;
  cost: Cost | ReadFailure | null;
  tickets: readonly { name: string; url: string | null; status: string | null }[];
}

/** Why a part is missing. */
export interface ReadFailure {
  unread: string;
}

/** Billed cost of the days of an event, and the usual cost before. */
export interface Cost {
  /** The account or resource the cost belongs to. */
  of: string;
  from: string;
  to: string;
  /** Days before that are compared with. */
  days: number;
  byCurrency: readonly { currency: string; during: BilledCost; before: BilledCost | null }[];
}

/** Total billed cost and the number of days. */
interface BilledCost {
  amount: Numeric;
  days: number;
}

/** Maximum number of log lines; a link leads to all of them. */
const mostLines = 20;

const isUnread = (part: object | null): part is ReadFailure => part !== null && 'unread' in part;

/** The post-mortem of an event: known data, and sections to be filled in by people. */
export function postMortem(known: PostMortemSource, link: string, now: Date): string {
  const parts: [title: string, text: string][] = [
    ['Summary', summary(known)],
    ['Likely cause', isUnread(known.causes) ? unread(known.causes) : causes(known.causes)],
    ['Timeline', isUnread(known.timeline) ? unread(known.timeline) : timeline(known.timeline, now)],
    ['Evidence', evidence(known.findings)],
    ['Related events', isUnread(known.related) ? unread(known.related) : related(known.related, now)],
    [
      'Cost',
      known.cost === null
        ? 'No costs are imported for it.'
        : isUnread(known.cost)
          ? unread(known.cost)
          : cost(known.cost),
    ],
    ['Tickets', known.tickets.length === 0 ? 'None.' : list(known.tickets.map(ticket))],
    ['Actions', actions(known.causes)],
  ];
  return [
    `# Post-mortem: ${inline(known.title)}`,
    table(
      ['', ''],
      known.facts.map(([name, value]) => [inline(name), inline(value)]),
    ),
    ...parts.map(([title, text]) => `## ${title}\n\n${text}`),
    `Written from [the event](${link}) on ${dateTimeZone(now.toISOString(), now)}.`,
    '',
  ]
    .join('\n\n')
    .replace(/\n{3,}$/, '\n');
}

function unread({ unread: reason }: ReadFailure): string {
  return `Could not be read: ${inline(reason)}`;
}

function summary({ description, resolution }: PostMortemSource): string {
  const said =
    description === null || description.trim() === '' ? 'Its source sent no description.' : inline(description);
  return resolution === null ? said : `${said}\n\n**Resolved:** ${inline(resolution)}`;
}

function causes({ summary: text, investigation }: Causes): string {
  if (investigation.hypotheses.length === 0) return inline(text);
  const titleOf = (id: string) => {
    const title = investigation.evidence.find((one) => one.id === id)?.title;
    return title === undefined ? id : `${id} ${inline(title)}`;
  };
  const cause = ({
    claim,
    reason,
    score,
    likelihood,
    evidence: ids,
    against,
  }: Causes['investigation']['hypotheses'][number]) =>
    [
      `**${inline(claim)}** (${likelihoods[likelihood].toLowerCase()}, ${String(score)} of 100). ${inline(reason)}`,
      ids.length > 0 ? `   - For it: ${ids.map(titleOf).join('; ')}` : '',
      against.length > 0 ? `   - Against it: ${against.map(titleOf).join('; ')}` : '',
    ]
      .filter(Boolean)
      .join('\n');
  return `Worked out by rules, no model used.\n\n${list(investigation.hypotheses.map(cause), '1.')}`;
}

function timeline(entries: Exclude<PostMortemSource['timeline'], ReadFailure>, now: Date): string {
  if (entries.length === 0) return 'Nothing is known.';
  const row = ({ at, text, reason }: (typeof entries)[number]) => [
    at === null ? '–' : dateTime(at, now),
    inline(reason === null ? text : `${text}. ${reason}`),
  ];
  return table([`Time (${zone()})`, 'What happened'], entries.map(row));
}

function evidence(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'Its source sent none.';
  return findings.map((one) => `**${inline(one.title)}**\n\n${found(one)}`).join('\n\n');
}

function found(one: Finding): string {
  switch (one.kind) {
    case 'logs': {
      const lines = one.lines
        .slice(0, mostLines)
        .map(({ time, level, text }) => [time, level, text].filter(Boolean).join(' '));
      const left = one.lines.length - lines.length;
      return fenced(left > 0 ? [...lines, `… ${String(left)} more lines`] : lines);
    }
    case 'metric':
      return list(
        one.series.map(({ name, points }) => {
          const values = points.map(([, value]) => value);
          return `${inline(name) || 'Value'}: from ${String(values[0])} to ${String(values.at(-1))}, at most ${String(Math.max(...values))}`;
        }),
      );
    case 'change':
    case 'object':
      return one.facts.length === 0
        ? '–'
        : list(one.facts.map(({ name, value }) => `${inline(name)}: ${inline(value)}`));
  }
}

function related(events: Exclude<PostMortemSource['related'], ReadFailure>, now: Date): string {
  if (events.length === 0) return 'None close in time, place or service.';
  return list(
    events.map(
      ({ title, why, at }) => `${at === null ? '' : `${dateTimeZone(at, now)}: `}${inline(title)} (${inline(why)})`,
    ),
  );
}

function cost({ of, from, to, days, byCurrency }: Cost): string {
  if (byCurrency.length === 0) return `No cost of ${inline(of)} is imported for ${from} to ${to}.`;
  const rows = byCurrency.map(({ currency, during, before }) => {
    const amount = (value: Numeric | null, sign = false) =>
      money(value, currency, { several: byCurrency.length > 1, sign });
    const daily = divide(during.amount, during.days);
    const usual = before && divide(before.amount, before.days);
    return [
      amount(during.amount),
      String(during.days),
      amount(daily),
      amount(usual),
      usual === null ? '–' : amount(subtract(daily, usual), true),
    ];
  });
  return [
    `Cost of ${inline(of)} on the days of the incident (${from} to ${to}) and the ${String(days)} days before. A bill does not show how much of it the incident caused.`,
    table(['Billed', 'Days with a bill', 'A day', 'A day before', 'More a day'], rows),
  ].join('\n\n');
}

function ticket({ name, url, status }: PostMortemSource['tickets'][number]): string {
  const called = url !== null && /^https?:\/\/[^\s()<>]+$/.test(url) ? `[${inline(name)}](${url})` : inline(name);
  return status === null ? called : `${called}, ${inline(status)}`;
}

/** The advice of the rules; people add other actions. */
function actions(of: PostMortemSource['causes']): string {
  const next = isUnread(of) ? [] : of.investigation.hypotheses.map((one) => one.next).filter(Boolean);
  return list([...new Set(next)].map(inline).concat('…'), '- [ ]');
}

interface Charges {
  currency_type: string | null;
  spend_date: string | null;
  billed_cost: Numeric | null;
}

const dayOf = (row: Charges) => row.spend_date?.slice(0, 10) ?? '';

function billed(rows: readonly Charges[]): BilledCost | null {
  const days = new Set(rows.map(dayOf)).size;
  return days === 0 ? null : { amount: sum(rows.map((row) => row.billed_cost)), days };
}

/** Splits daily charges into the days of an event and the days before. */
export function costOf(
  rows: readonly Charges[],
  { of, from, to, days }: Pick<Cost, 'of' | 'from' | 'to' | 'days'>,
): Cost {
  const currencies = [...new Set(rows.map((row) => row.currency_type ?? ''))].sort();
  const byCurrency = currencies.flatMap((currency) => {
    const own = rows.filter((row) => (row.currency_type ?? '') === currency);
    const during = billed(own.filter((row) => dayOf(row) >= from && dayOf(row) <= to));
    return during ? [{ currency, during, before: billed(own.filter((row) => dayOf(row) < from)) }] : [];
  });
  byCurrency.sort((one, other) => compare(other.during.amount, one.during.amount));
  return { of, from, to, days, byCurrency };
}
