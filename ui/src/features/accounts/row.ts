import type { ResultOf } from '@/api';
import { age, date, parseTime } from '@/shared';
import type { Numeric, Tone } from '@/shared';
import type { Accounts } from './queries';
import { kinds, otherKind, providers } from './words';

export type AccountRecord = ResultOf<typeof Accounts>['cloud_accounts'][number];
export type Costs = ReadonlyMap<string, Numeric>;

/** An account as the list shows it. */
export interface Row {
  id: string;
  stored: AccountRecord;
  name: string;
  provider: string;
  /** Its number, shortened to the last digits. */
  number: string;
  kind: string;
  costs: Costs;
  /** The last day its bills cover. */
  through: string | null;
  fresh: Freshness;
  resources: number;
  firing: number;
  open: number;
}

/** The freshness of an account's source. */
export interface Freshness {
  tone: Tone;
  /** "26 h late". */
  text: string;
  /** "read 19 Nov", with the source. */
  detail: string;
}

/** Hours without contact after which agent data is stale. Bills arrive daily and are late after three days. */
const staleHours = 24;
const lateDays = 3;

function hoursSince(at: string, now: Date): number {
  return (now.getTime() - parseTime(at).getTime()) / 3_600_000;
}

/** The source of an account and its age: an error first, then an agent, then bills, then any other read. */
export function freshness(stored: AccountRecord, through: string | null, now: Date): Freshness {
  const agent = stored.agents[0];
  if (stored.status === 'disabled') return { tone: 'off', text: 'Switched off', detail: 'by a person' };
  if (stored.sync_status === 'Error')
    return {
      tone: 'bad',
      text: 'Last read failed',
      detail: stored.sync_status_message ?? 'no reason was given',
    };
  const told = agent?.last_synced_at ?? agent?.last_connected_at ?? stored.agent_synced_at;
  if (told) {
    const isStale = hoursSince(told, now) > staleHours;
    const seen = `agent, ${age(told, now)}`;
    return isStale ? { tone: 'warn', text: 'Stale', detail: seen } : { tone: 'ok', text: 'Current', detail: seen };
  }
  if (through !== null) {
    const isLate = hoursSince(through, now) > lateDays * 24;
    const detail = `bills through ${date(through, now)}`;
    return isLate ? { tone: 'warn', text: 'Late', detail } : { tone: 'ok', text: 'Current', detail };
  }
  if (stored.synced_at) return { tone: 'off', text: 'From files', detail: `read ${age(stored.synced_at, now)}` };
  return { tone: 'off', text: 'No bills', detail: 'no bill, no agent' };
}

export function rowOf(stored: AccountRecord, costs: Costs, through: string | null, now: Date): Row {
  const { account_number: number, cloud_provider: provider } = stored;
  return {
    id: stored.id,
    stored,
    name: stored.account_name,
    provider: provider === null ? '–' : (providers[provider] ?? provider),
    number: number ?? '',
    kind: provider === 'Other' ? otherKind : (kinds[stored.account_type] ?? stored.account_type),
    costs,
    through,
    fresh: freshness(stored, through, now),
    resources: stored.cloud_resourses_aggregate.aggregate?.count ?? 0,
    firing: stored.firing.aggregate?.count ?? 0,
    open: stored.open.aggregate?.count ?? 0,
  };
}

/** Whether the account needs attention. */
export function needsAttention({ fresh, firing }: Row): boolean {
  return fresh.tone === 'bad' || fresh.tone === 'warn' || firing > 0;
}

/** The owner of an account, stored in its attributes. */
export function ownerOf({ cloud_account_attrs: attributes }: AccountRecord) {
  return attributes.find(({ name }) => name === ownerName);
}

export const ownerName = 'owner';

/** The distinguishing part of a resource identifier: the last part of "kube-system/Deployment/coredns", or of an ARN. */
export function lastPart(identifier: string): string {
  return identifier.split('/').at(-1) ?? identifier;
}
