import { Link } from '@tanstack/react-router';
import { CircleCheck, Download, OctagonX, RefreshCw, TriangleAlert } from 'lucide-react';
import { useAbout, useOriginInFront, useSamlHealth } from '@/api';
import type { ApiError } from '@/api';
import { Button, Content, Panel, Status, dateTimeZone, plural, useNow } from '@/shared';
import { hostOf, serviceAddress } from '@/shared/place';
import { NotForYou, isRefused } from '../NotForYou';
import { SettingsPage } from '../SettingsPage';
import { CertificateClock } from './CertificateClock';
import { ofBackups, ofData, ofSignOn, upFor, withoutBackups } from './checks';
import type { Check } from './checks';
import { useBackupsTaken, useHealthReport } from './queries';
import type { HealthReport } from './queries';

/** The health page: what works, what does not, what to do, and facts about the instance. */
export function HealthPage() {
  const report = useHealthReport();
  const health = useSamlHealth();
  const now = useNow();
  const signOn = health.data && ofSignOn(health.data, now);
  const backups = useBackupsTaken();
  const ofBackup = backups.data
    ? ofBackups(backups.data.backups, now)
    : backups.error
      ? withoutBackups(backups.error.status)
      : undefined;
  const data = report.data && [...ofData(report.data, now), ...(ofBackup ? [ofBackup] : [])];
  return (
    <SettingsPage
      title="Health & about"
      actions={
        <>
          {report.data && (
            <span className="small muted hide-n">Checked {dateTimeZone(report.data.checked_at, now)}</span>
          )}
          <Button
            busy={report.isFetching && 'Checking'}
            onClick={() => {
              void report.refetch();
              void health.refetch();
              void backups.refetch();
            }}
          >
            <RefreshCw className="i" />
            Check now
          </Button>
          {report.data && (
            <a
              className="btn"
              href={serviceAddress('/api/health/bundle')}
              download
              title="Versions, settings, sizes and import results in one file. Secrets are left out."
            >
              <Download className="i" />
              Support bundle
            </a>
          )}
        </>
      }
    >
      {isRefused(report.error) ? (
        <NotForYou />
      ) : (
        <div className="stack">
          <Verdict
            checks={[...(signOn ?? []), ...(data ?? [])]}
            known={report.data !== undefined && !backups.isPending}
          />
          <div className="two-col healthpage">
            <div className="stack">
              {health.error?.status !== 404 && (
                <Panel title="Sign-in">
                  <Content of={{ ...health, data: signOn }} what="Single sign-on could not be checked" lines={2}>
                    {(checks) => <Checks label="Sign-in" checks={checks} />}
                  </Content>
                </Panel>
              )}
              <Panel title="Data">
                <Content of={{ ...report, data }} what="Checks could not be run">
                  {(checks) => <Checks label="Data" checks={checks} />}
                </Content>
              </Panel>
            </div>
            <div className="stack">
              {health.data && <CertificateClock today={health.data} />}
              <Panel title="About this instance" padded>
                <Content<HealthReport>
                  of={report as { data: HealthReport | undefined; error: ApiError | null; refetch: () => unknown }}
                  what="The report could not be read"
                >
                  {(found) => <About report={found} now={now} />}
                </Content>
              </Panel>
            </div>
          </div>
        </div>
      )}
    </SettingsPage>
  );
}

function Verdict({ checks, known }: { checks: readonly Check[]; known: boolean }) {
  if (!known) return null;
  const wrong = checks.filter((check) => check.tone === 'bad');
  const soon = checks.filter((check) => check.tone === 'warn');
  const [tone, Icon] =
    wrong.length > 0
      ? (['bad', OctagonX] as const)
      : soon.length > 0
        ? (['warn', TriangleAlert] as const)
        : (['ok', CircleCheck] as const);
  const title =
    wrong.length > 0
      ? `${plural(wrong.length, 'problem')} to fix`
      : soon.length > 0
        ? `Working, with ${plural(soon.length, 'thing')} to look at`
        : 'All checks passed';
  return (
    <div className={`note ${tone}`} role="status">
      <Icon className="i" />
      <div className="grow">
        <div className="t">{title}</div>
        {[...wrong, ...soon].map((check) => (
          <div key={check.what} className="muted">
            {check.what}: {check.says}.
          </div>
        ))}
      </div>
    </div>
  );
}

const words = { ok: 'Healthy', warn: 'Warning', bad: 'Error', off: 'Off' } as const;

function Checks({ label, checks }: { label: string; checks: readonly Check[] }) {
  return (
    <table className="tbl tight fix health" aria-label={label}>
      <colgroup>
        <col className="w-state" />
        <col className="w-what" />
        <col />
        <col className="w-go" />
      </colgroup>
      <tbody>
        {checks.map((check) => (
          <tr key={check.what}>
            <td>
              <Status tone={check.tone}>{words[check.tone]}</Status>
            </td>
            <td className="strong">{check.what}</td>
            <td className="muted">{check.says}</td>
            <td className="n">{check.action && <Link to={check.action.to}>{check.action.title}</Link>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function About({ report, now }: { report: HealthReport; now: Date }) {
  const about = useAbout().data;
  const origin = useOriginInFront();
  return (
    <dl className="kv">
      <dt>Quarterdeck</dt>
      <dd>
        {report.version}, {report.system}
      </dd>
      <dt>Instance</dt>
      <dd>{[about?.instance, origin && hostOf(origin)].filter(Boolean).join(', ')}</dd>
      <dt>Up since</dt>
      <dd>
        {dateTimeZone(report.started_at, now)}, {upFor(report.started_at, now)}
      </dd>
      {about?.data_dir && (
        <>
          <dt>Data</dt>
          <dd className="mono">{about.data_dir}</dd>
        </>
      )}
      <dt>Network</dt>
      <dd>Not needed. Updates are not checked for.</dd>
    </dl>
  );
}
