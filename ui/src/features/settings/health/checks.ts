import type { SamlHealth } from '@/api';
import { count, date, dateTime, plural } from '@/shared';
import type { BackupTaken, HealthReport } from './queries';

/** One line of the page: state, name, detail and link. */
export interface Check {
  tone: 'ok' | 'warn' | 'bad' | 'off';
  what: string;
  says: string;
  action?: { title: string; to: '/settings/single-sign-on' | '/settings/backup' | '/imports' };
}

/** Less free disk space in bytes is a warning: a database grows by about the size of imported files. */
const littleSpace = 1_000_000_000;

/** The certificate and the configuration of single sign-on. */
export function ofSignOn(health: SamlHealth, now: Date): Check[] {
  const { certificate, enabled, messages } = health;
  const to = '/settings/single-sign-on' as const;
  if (!enabled && certificate.expiresAt === null)
    return [{ tone: 'off', what: 'SAML', says: 'Single sign-on is off', action: { title: 'Set up', to } }];
  const checks: Check[] = [];
  if (certificate.expiresAt === null) {
    checks.push({
      tone: 'bad',
      what: 'SAML certificate',
      says: 'Missing: nobody can sign in with SAML',
      action: { title: 'Add', to },
    });
  } else {
    const end = date(certificate.expiresAt, now);
    const days = certificate.daysUntilExpiry ?? 0;
    checks.push(
      certificate.expired
        ? {
            tone: 'bad',
            what: 'SAML certificate',
            says: `Expired on ${end}: nobody can sign in with SAML`,
            action: { title: 'Replace', to },
          }
        : certificate.expiringSoon
          ? {
              tone: 'warn',
              what: 'SAML certificate',
              says: `Expires ${end}, in ${plural(days, 'day')}`,
              action: { title: 'Replace', to },
            }
          : { tone: 'ok', what: 'SAML certificate', says: `Valid to ${end}, ${plural(days, 'day')} left` },
    );
  }
  const others = messages.filter((message) => !/certificate/i.test(message));
  const complete =
    health.config.entryPoint !== null && health.config.issuer !== null && health.config.callbackUrl !== null;
  checks.push(
    complete && others.length === 0
      ? {
          tone: 'ok',
          what: 'SAML configuration',
          says: enabled ? 'Complete, on the sign-in page' : 'Complete, switched off',
        }
      : {
          tone: enabled ? 'bad' : 'warn',
          what: 'SAML configuration',
          says: others.join('. ') || 'Incomplete',
          action: { title: 'Complete', to },
        },
  );
  return checks;
}

/** Database, disk, backups, imports. */
export function ofData(report: HealthReport, now: Date): Check[] {
  const { database, disk, last_import: last, unfinished_imports: unfinished } = report;
  const checks: Check[] = [];
  if (database)
    checks.push({
      tone: 'ok',
      what: 'Database',
      says: `${size(database.bytes)} used, ${plural(database.tables, 'table')}`,
    });
  if (disk) {
    const little = disk.free_bytes < littleSpace;
    checks.push({
      tone: little ? 'warn' : 'ok',
      what: 'Disk',
      says: `${size(disk.free_bytes)} of ${size(disk.total_bytes)} free${little ? ', too little for a large import' : ''}`,
    });
  }
  for (const says of report.backup_troubles ?? [])
    checks.push({ tone: 'bad', what: 'Backups', says, action: { title: 'Open', to: '/settings/backup' } });
  checks.push(ofImport(last, now));
  if (unfinished > 0)
    checks.push({
      tone: 'off',
      what: 'Running imports',
      says: plural(unfinished, 'file'),
      action: { title: 'Open', to: '/imports' },
    });
  return checks;
}

/** The backup that could be restored now: the newest verified one. */
export function ofBackups(backups: readonly BackupTaken[], now: Date): Check {
  const what = 'Last backup';
  const action = { title: 'Open', to: '/settings/backup' as const };
  const newest = backups
    .filter((backup) => backup.check.state === 'verified')
    .reduce<string | null>((last, { taken_at: at }) => (last === null || at > last ? at : last), null);
  if (newest !== null) return { tone: 'ok', what, says: `Verified, ${dateTime(newest, now)}` };
  const says = backups.length === 0 ? 'No backups yet' : 'No backup could be verified';
  return { tone: 'warn', what, says, action };
}

/** The check if the list of backups is not available, by HTTP status. */
export function withoutBackups(status: number): Check | undefined {
  const what = 'Last backup';
  // An older instance has no backups.
  if (status === 404) return undefined;
  if (status === 403) return { tone: 'off', what, says: 'Visible to administrators of this instance' };
  const action = { title: 'Open', to: '/settings/backup' as const };
  return { tone: 'warn', what, says: 'Backups could not be read', action };
}

function ofImport(last: HealthReport['last_import'], now: Date): Check {
  const what = 'Last import';
  const to = '/imports' as const;
  if (!last) return { tone: 'off', what, says: 'Nothing imported yet', action: { title: 'Import', to } };
  const when = last.finished_at ? dateTime(last.finished_at, now) : '';
  if (last.state === 'failed')
    return { tone: 'bad', what, says: `${last.file_name} failed, ${when}`, action: { title: 'View error', to } };
  if (last.state === 'unchanged') return { tone: 'ok', what, says: `${last.file_name}, ${when}, no changes` };
  const rows = plural(last.rows_written, 'row');
  return last.rows_skipped > 0
    ? {
        tone: 'warn',
        what,
        says: `${last.file_name}, ${when}: ${rows}, ${count(last.rows_skipped)} skipped`,
        action: { title: 'View rows', to },
      }
    : { tone: 'ok', what, says: `${last.file_name}, ${when}: ${rows}` };
}

/** Bytes for people: "1.5 GB". */
export function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let amount = bytes;
  let unit = 0;
  while (amount >= 1000 && unit < units.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${unit === 0 || amount >= 100 ? String(Math.round(amount)) : amount.toFixed(1)} ${units[unit] ?? ''}`;
}

/** "6 d 21 h", "3 h 5 min", "4 min". */
export function upFor(since: string, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(since)) / 60_000));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  if (days > 0) return `${String(days)} d ${String(hours)} h`;
  if (hours > 0) return `${String(hours)} h ${String(minutes % 60)} min`;
  return `${String(minutes)} min`;
}
