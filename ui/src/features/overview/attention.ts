import type { SamlHealth } from '@/api';
import { addDays, count, plural, withSign } from '@/shared';
import type { Day } from '@/shared';

/** An item that needs attention: what it is, why, and its link. */
export interface Item {
  id: string;
  /** Changes with the content of the item, so that a dismissed item reappears. */
  key: string;
  tone: 'bad' | 'warn';
  title: string;
  detail: string;
  action: string;
  to:
    | '/events'
    | '/imports'
    | '/inventory/kubernetes'
    | '/recommendations'
    | '/settings/single-sign-on'
    | '/automation/approvals'
    | '/costs/budgets'
    | '/costs/anomalies';
  /** The id to open there: of the event, import, budget, anomaly or cluster. */
  open?: string;
}

export interface ImportRow {
  id: string | null;
  file_name: string | null;
  state: string | null;
  rows_read: number | null;
  /** Those that later files have not replaced. */
  rows_written: number | null;
  rows_skipped: number | null;
  /** A list of reasons as JSON. */
  skip_reasons: string | null;
  error_message: string | null;
}

interface Reason {
  reason: string;
  column: string;
  count: number;
}

/** Skip reasons that need no action: the row has no finding, or repeats another row. */
const harmless = ['already optimised', 'a duplicate', 'a repetition'];

/** Runs waiting for this user's decision. */
export function ofApprovals(mine: number): Item[] {
  if (mine === 0) return [];
  return [
    {
      id: 'approvals',
      key: `approvals ${String(mine)}`,
      tone: 'warn',
      title: `${plural(mine, 'run')} ${mine === 1 ? 'waits' : 'wait'} for your approval`,
      detail: 'Each run waits for your decision. Review the plan next to the question.',
      action: 'Decide',
      to: '/automation/approvals',
    },
  ];
}

interface EventRow {
  id: string | null;
  title: string | null;
  priority: string | null;
  subject_name: string | null;
  subject_namespace: string | null;
  cluster: string | null;
  starts_at: string | null;
  created_at: string | null;
}

/** Severe firing events without an owner; less severe ones if there are none. `since` formats the age of a time. */
export function ofEvents(events: readonly EventRow[], since: (time: string) => string): Item[] {
  const grave = events.filter(({ priority }) => priority === 'HIGH');
  return (grave.length > 0 ? grave : events).flatMap((event): Item[] => {
    if (event.id === null) return [];
    const subject = [event.subject_namespace, event.subject_name].filter(Boolean).join(' / ');
    const start = event.starts_at ?? event.created_at;
    return [
      {
        id: event.id,
        key: `event ${event.id}`,
        tone: event.priority === 'HIGH' ? 'bad' : 'warn',
        title: event.title ?? subject,
        detail: [subject, event.cluster, start && `started ${since(start)}`].filter(Boolean).join(', '),
        action: 'Investigate',
        to: '/events',
        open: event.id,
      },
    ];
  });
}

/** Pods that do not run, a line for each cluster. `some` are pods of all of them. */
export function ofPods(
  clusters: readonly { account_id: string | null; count: number | null }[],
  some: readonly { account_id: string | null; name: string | null; status: string | null }[],
  nameOf: (account: string) => string | undefined,
): Item[] {
  return clusters.flatMap(({ account_id: id, count: many }): Item[] => {
    if (id === null || !many) return [];
    const named = some.filter(({ account_id: account }) => account === id).slice(0, 2);
    const names = named.map(({ name, status }) => `${name ?? ''} ${status ?? ''}`).join(', ');
    const more = many - named.length;
    return [
      {
        id: `pods ${id}`,
        key: `pods ${id} ${String(many)}`,
        tone: 'bad',
        title: `${plural(many, 'pod')} of ${nameOf(id) ?? 'a cluster'} ${many === 1 ? 'is' : 'are'} not running`,
        detail: `${names}${more > 0 ? `${names === '' ? '' : ' and '}${count(more)} more` : ''}`,
        action: 'Show pods',
        to: '/inventory/kubernetes',
        open: id,
      },
    ];
  });
}

/** Problems of imports. `imports` are newest first; a file imported again is represented by its latest import. */
export function ofImports(imports: readonly ImportRow[]): Item[] {
  const seen = new Set<string | null>();
  const incomplete: ImportRow[] = [];
  const items = imports.flatMap((row): Item[] => {
    const settled = row.state === 'waiting' || row.state === 'running' || seen.has(row.file_name);
    if (settled) return [];
    seen.add(row.file_name);
    if (row.state === 'failed') return [failed(row)];
    if (row.state === 'nothing_read') return [unread(row)];
    if (row.state === 'needs_decision') return [undecided(row)];
    if (row.state === 'waiting_for_parts') incomplete.push(row);
    return row.state === 'done_with_skips' && !isSuperseded(row) ? skipped(row) : [];
  });
  return [...items, ...waiting(incomplete)];
}

/** Whether later files have replaced every row of it: then its skipped rows do not matter. */
function isSuperseded({ rows_read: read, rows_written: written, rows_skipped: skipped }: ImportRow): boolean {
  return written === 0 && (read ?? 0) > (skipped ?? 0);
}

function failed(row: ImportRow): Item {
  return {
    ...about(row),
    tone: 'bad',
    title: `${row.file_name ?? 'A file'} was not imported`,
    detail: row.error_message ?? 'The import report shows why.',
    action: 'See why',
  };
}

function unread(row: ImportRow): Item {
  return {
    ...about(row),
    key: `import ${row.id ?? ''} nothing read`,
    tone: 'bad',
    title: `No row of ${row.file_name ?? 'a file'} could be read`,
    detail: 'Nothing was imported. The import report shows what was expected.',
    action: 'See why',
  };
}

/** Deliveries with missing files; one item for all, because a delivery may have many files. */
function waiting(rows: readonly ImportRow[]): Item[] {
  const [first] = rows;
  if (!first) return [];
  const who = rows.length === 1 ? `${first.file_name ?? 'A file'} waits` : `${plural(rows.length, 'file')} wait`;
  return [
    {
      ...about(first),
      key: `imports ${rows.map((row) => row.id ?? '').join()} wait for parts`,
      tone: 'warn',
      title: `${who} for further parts`,
      detail: 'A manifest lists files that are missing. Stored data does not change until they arrive.',
      action: 'See which',
    },
  ];
}

function undecided(row: ImportRow): Item {
  return {
    ...about(row),
    // A separate key: if dismissed as undecided, it reappears if it fails later.
    key: `import ${row.id ?? ''} needs a decision`,
    tone: 'warn',
    title: `${row.file_name ?? 'A file'} waits for a decision`,
    detail: 'Nothing has changed yet: decide whether it replaces stored data or adds to it.',
    action: 'Decide',
  };
}

function about(row: ImportRow): Pick<Item, 'id' | 'key' | 'to' | 'open'> {
  return { id: row.id ?? '', key: `import ${row.id ?? ''}`, to: '/imports', open: row.id ?? undefined };
}

function skipped(row: ImportRow): Item[] {
  const reasons = (JSON.parse(row.skip_reasons ?? '[]') as Reason[]).filter(
    ({ reason }) => !harmless.some((start) => reason.startsWith(start)),
  );
  const rows = reasons.reduce((sum, reason) => sum + reason.count, 0);
  const [first] = [...reasons].sort((a, b) => b.count - a.count);
  if (!first) return [];
  const others = reasons.length > 1 ? `, and ${plural(reasons.length - 1, 'more reason')}` : '';
  return [
    {
      ...about(row),
      tone: 'warn',
      title: `${plural(rows, 'row')} of ${row.file_name ?? 'a file'} ${rows === 1 ? 'was' : 'were'} left out`,
      detail: `${first.column ? `${first.column}: ` : ''}${first.reason} (${count(first.count)})${others}`,
      action: 'See rows',
    },
  ];
}

/** Accounts without bills: their recommendations cannot be compared with costs. */
export function ofAccounts(
  accounts: readonly { id: string | null; account_name: string | null }[],
  billed: readonly { account_id: string | null }[],
): Item[] {
  const known = new Set(billed.map((row) => row.account_id));
  const without = accounts.filter((account) => !known.has(account.id));
  if (without.length === 0) return [];
  const names = without.slice(0, 2).map((account) => account.account_name ?? '');
  const more = without.length - names.length;
  return [
    {
      id: 'accounts',
      key: `accounts ${without.map((account) => account.id).join()}`,
      tone: 'warn',
      title: `${plural(without.length, 'account')} without costs`,
      detail: `No costs imported for ${names.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}.`,
      action: 'Import',
      to: '/imports',
    },
  ];
}

/** Providers deliver a day late, so a delay of one day is not reported. */
const isNoNews = 2;

/** Bills that end more than two days ago. */
export function ofAge(last: Day, now: Date, lastName: string): Item[] {
  const days = Math.floor((now.getTime() - Date.parse(addDays(last, 1))) / 86_400_000);
  if (days <= isNoNews) return [];
  return [
    {
      id: 'age',
      key: `age ${last}`,
      tone: 'warn',
      title: `No costs after ${lastName}`,
      detail: `The newest charge is ${count(days)} days old. A newer export fills the gap.`,
      action: 'Import',
      to: '/imports',
    },
  ];
}

/** Open recommendations that cannot wait. */
export function ofRecommendations(critical: number): Item[] {
  if (critical === 0) return [];
  return [
    {
      id: 'critical',
      key: `critical ${String(critical)}`,
      tone: 'bad',
      title: `${plural(critical, 'critical recommendation')} ${critical === 1 ? 'is' : 'are'} open`,
      detail: 'Review them first.',
      action: 'Review',
      to: '/recommendations',
    },
  ];
}

/** An expiring or expired certificate of the identity provider, which stops sign-in. `end` formats its last day. */
export function ofCertificate(health: SamlHealth | undefined, end: (time: string) => string): Item[] {
  const { expiresAt, expired, expiringSoon, daysUntilExpiry: days } = health?.certificate ?? {};
  if (!health?.enabled || !expiresAt || !(expired || expiringSoon)) return [];
  return [
    {
      id: 'certificate',
      key: `certificate ${expiresAt} ${expired ? 'expired' : 'expiring'}`,
      tone: expired ? 'bad' : 'warn',
      title: expired
        ? 'Single sign-on fails: its certificate has expired'
        : `Sign-in certificate expires in ${plural(days ?? 0, 'day')}`,
      detail: `Single sign-on fails ${expired ? 'since' : 'after'} ${end(expiresAt)}. Import the provider’s new metadata.`,
      action: 'Replace',
      to: '/settings/single-sign-on',
    },
  ];
}

export interface NoticeRow {
  id: string;
  subject: string;
  key: string;
  severity: string;
  title: string;
  text: string;
  link: string | null;
}

/**
 * Budgets that were crossed and anomalies nobody has judged. The other notices say what this list says of itself. `sign` is the currency of all
 * amounts of the page.
 */
export function ofNotices(notices: readonly NoticeRow[], sign = ''): Item[] {
  return notices.flatMap((notice): Item[] => {
    const to = { budget: '/costs/budgets', anomaly: '/costs/anomalies' } as const;
    const isShown = notice.subject === 'budget' || notice.subject === 'anomaly';
    if (!isShown || notice.severity === 'info') return [];
    const open = new URLSearchParams(notice.link?.split('?')[1]).get('id');
    return [
      {
        id: notice.id,
        key: notice.key,
        tone: notice.severity === 'critical' ? 'bad' : 'warn',
        title: withSign(notice.title, sign),
        detail: withSign(notice.text, sign),
        action: notice.subject === 'budget' ? 'Open budget' : 'Judge',
        to: to[notice.subject as keyof typeof to],
        ...(open ? { open } : {}),
      },
    ];
  });
}
