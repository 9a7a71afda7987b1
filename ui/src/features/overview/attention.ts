import type { SamlHealth } from '@/api';
import { addDays, count, plural, withSign } from '@/shared';
import type { Day } from '@/shared';

/** Something a person should look at: what it is, why, and where to go. */
export interface Item {
  id: string;
  /** Another one once what it tells has changed: then it is shown again to whoever dismissed it. */
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
  /** What to open there: the event, the import, the budget, the anomaly, the cluster. */
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

/** Reasons that leave nothing to do: the row holds no finding, or says what another row said. */
const harmless = ['already optimised', 'a duplicate', 'a repetition'];

/** Runs that stand still until this person decides. */
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

/** Grave events that go on and that nobody has taken up; where there are none, what is less grave. `since` says how long ago a time is. */
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

/** What imports left behind. `imports` come newest first; a file that was imported again since is judged by its latest import. */
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

/** Whether later files have replaced every row of it: then what it left out is of no interest either. */
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

/** Files of deliveries whose manifest names more than has come; one line for all, since a delivery may have very many. */
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
    // Its own key: dismissed as undecided, it comes back if it then fails.
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

/** Accounts no bill names: what is recommended for them cannot be held against what they cost. */
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

/** Providers deliver a day late, so a day is no news. */
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

/** A certificate of the identity provider that ends soon, or did: then nobody signs in. `end` is its last day in words. */
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
