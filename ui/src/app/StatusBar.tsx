import { Link } from '@tanstack/react-router';
import { Download, Upload } from 'lucide-react';
import { useAbout, useExtent, useInstanceInFront, useOriginInFront } from '@/api';
import { Status, date, dateTime, useJobs, useToday, useZone, zoneShort } from '@/shared';
import { hostOf } from '@/shared/place';
import { dialog } from './dialogs';

/** Connection, age of the data, and running jobs. */
export function StatusBar() {
  const about = useAbout();
  const extent = useExtent().data;
  const front = useInstanceInFront();
  const origin = useOriginInFront();
  const now = useToday();
  const { zone } = useZone();
  return (
    <footer className="status" aria-label="Status" tabIndex={-1}>
      {about.error ? <Status tone="bad">Not connected</Status> : <Status tone="ok">Connected</Status>}
      {origin && <span>{[front?.name, hostOf(origin)].filter(Boolean).join(', ')}</span>}
      {about.data && !about.error && <span>{about.data.latency} ms</span>}
      {extent?.days ? (
        <span>
          Costs through {date(extent.days.to, now)}
          {extent.lastRead && `, read ${dateTime(extent.lastRead, now)}`}
        </span>
      ) : (
        extent && <span>No costs imported yet</span>
      )}
      <Jobs />
      <span className="end">
        <button
          type="button"
          className="bare"
          title={`Times are ${zoneTitle(zone, now)}. Days of bills are UTC.`}
          aria-label={`Time zone ${zone}`}
          onClick={() => {
            dialog.set('zone');
          }}
        >
          {zoneShort(now, zone)}
        </button>
        {about.data && <span>v{about.data.version}</span>}
        <button
          type="button"
          className="bare"
          onClick={() => {
            dialog.set('shortcuts');
          }}
        >
          <kbd>?</kbd>Shortcuts
        </button>
      </span>
    </footer>
  );
}

/** "UTC", or "in Europe/Berlin (CET)". */
function zoneTitle(zone: string, now: Date): string {
  return zone === 'UTC' ? zone : `in ${zone} (${zoneShort(now, zone)})`;
}

function Jobs() {
  const jobs = useJobs();
  const [first] = jobs;
  if (!first) return null;
  const Icon = first.comes ? Download : Upload;
  const percent = first.done === null ? null : Math.floor(first.done * 100);
  return (
    <Link to={first.page} className="job">
      <Icon className="i" />
      <span className="cut">{jobs.length === 1 ? first.title : `${String(jobs.length)} jobs`}</span>
      <span
        className="prog"
        role="progressbar"
        aria-label={first.title}
        {...(percent === null ? {} : { 'aria-valuenow': percent })}
      >
        <i style={{ width: `${String(percent ?? 100)}%` }} />
      </span>
      {percent !== null && <span>{percent}%</span>}
    </Link>
  );
}
