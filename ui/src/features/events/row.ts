import type { ResultOf } from '@/api';
import { age, count, dateOf, onWall, parseTime, time, toDay } from '@/shared';
import type { SeverityName } from '@/shared';
import type { EventPage } from './queries';
import { sources, states, triage } from './words';

export type EventRecord = ResultOf<typeof EventPage>['events'][number];

/** An event as the list shows it. */
export interface Row {
  id: string;
  stored: EventRecord;
  severity: SeverityName;
  /** "payments / payments-api-7c9d". */
  subject: string;
  source: string;
  account: string;
  state: State;
  triage: Triage;
}

export type State = 'FIRING' | 'RESOLVED' | 'CLOSED';
export type Triage = keyof typeof triage;

const severities: Record<string, SeverityName> = {
  HIGH: 'High',
  MEDIUM: 'Medium',
  LOW: 'Low',
  INFO: 'Info',
  DEBUG: 'Info',
};

/** The severity reported by the source. */
export function severityOf(priority: string): SeverityName {
  return severities[priority] ?? 'Info';
}

export function stateOf(status: string | null): State {
  return status !== null && status in states ? (status as State) : 'FIRING';
}

export function triageOf(status: string | null): Triage {
  return status !== null && status in triage ? (status as Triage) : 'OPEN';
}

export function sourceName(source: string | null): string {
  return source === null ? sources.none : (sources[source] ?? source);
}

export function rowOf(stored: EventRecord): Row {
  const { subject_namespace: namespace, subject_name: name } = stored;
  return {
    id: stored.id,
    stored,
    severity: severityOf(stored.priority),
    subject: namespace && namespace !== name ? `${namespace} / ${name}` : name,
    source: sourceName(stored.source),
    account: stored.cloud_account?.account_name ?? stored.cluster,
    state: stateOf(stored.status),
    triage: triageOf(stored.nb_status),
  };
}

/** The owner: the user who last changed the triage status, unless the event is open. */
export function ownerIdOf(stored: Pick<EventRecord, 'nb_status' | 'nb_status_changed_by'>): string | null {
  return triageOf(stored.nb_status) === 'OPEN' ? null : stored.nb_status_changed_by;
}

/** The start reported by the source, else the time it was received. */
export function startOf({
  starts_at: start,
  created_at: arrived,
}: Pick<EventRecord, 'starts_at' | 'created_at'>): string {
  return start ?? arrived;
}

/** "38 min", "3 h", "2 days": how long something took. */
export function lasting(from: string | Date, until: string | Date): string {
  const time = (value: string | Date) => (typeof value === 'string' ? parseTime(value) : value).getTime();
  const minutes = Math.max(0, Math.round((time(until) - time(from)) / 60_000));
  if (minutes < 60) return `${String(minutes)} min`;
  if (minutes < 48 * 60) return `${String(Math.round(minutes / 60))} h`;
  return `${count(Math.round(minutes / 1440))} days`;
}

/** "06:03" today, else "19 Nov". */
export function startShort(at: string, now: Date): string {
  const start = parseTime(at);
  return toDay(onWall(start)) === toDay(onWall(now)) ? time(start) : dateOf(start, now);
}

/** The triage status, with the end of a snooze: "Snoozed to 1 Dec". */
export function triageWords(
  row: Pick<Row, 'triage'> & { stored: Pick<EventRecord, 'snoozed_until'> },
  now: Date,
): string {
  const { snoozed_until: until } = row.stored;
  if (row.triage === 'SNOOZED' && until) return `${triage.SNOOZED.name} to ${startShort(until, now)}`;
  return triage[row.triage].name;
}

/** The text below the state if there is no triage column: "after 9 min" for ended events with a decision, else the triage status. */
export function besideWords(row: Pick<Row, 'state' | 'triage' | 'stored'>, now: Date): string {
  const { ends_at: end } = row.stored;
  if (row.state !== 'FIRING' && row.triage === 'RESOLVED' && end) return `after ${lasting(startOf(row.stored), end)}`;
  return triageWords(row, now);
}

/** "26 h ago", as a title of a short time. */
export function agoOf(at: string, now: Date): string {
  return age(at, now);
}
