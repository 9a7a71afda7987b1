import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useGraphQL } from '@/api';
import type { Json } from '@/api';
import { Check, Content, parseTime, plural } from '@/shared';
import { LogLines } from './Evidence';
import { EventLogs } from './queries';

/** Lines are read from so long before an event to so long after its begin, ms. */
const before = 15 * 60_000;
const after = 15 * 60_000;
const most = 500;

interface Subject {
  account: string;
  start: string;
  /** What the event is about, by the names that lines may carry. */
  names: readonly string[];
}

/** Log lines of the account around the begin of an event. */
export function Logs({ account, start, names }: Subject) {
  const at = parseTime(start).getTime();
  const [from, until] = [at - before, at + after];
  const [isNarrowed, setNarrowed] = useState(true);
  const query = useGraphQL(EventLogs, {
    request: {
      account_id: account,
      query: '',
      start_time: from,
      end_time: until,
      limit: most,
      sort_fields: [{ column_name: 'timestamp', order: 'asc' }],
    },
  });
  return (
    <Content of={query} what="Log lines could not be read" lines={6}>
      {({ logs_query: all }) => {
        const found = (all ?? []).filter((line) => line !== null);
        const own = found.filter(({ labels, message }) => names.some((name) => says(labels, message, name)));
        const shown = isNarrowed ? own : found;
        return (
          <>
            <div className="split">
              <Check
                label={`Only lines that name ${names[0] ?? 'the subject'}`}
                checked={isNarrowed}
                onChange={setNarrowed}
              />
              <Link
                to="/events/logs"
                search={{
                  account,
                  from: new Date(from).toISOString().slice(0, 16),
                  to: new Date(until).toISOString().slice(0, 16),
                }}
              >
                Open in Logs
              </Link>
            </div>
            {found.length === 0 && (
              <p className="muted">
                No log lines are stored for this account from 15 min before to 15 min after its begin.
              </p>
            )}
            {found.length > 0 && shown.length === 0 && (
              <p className="muted">None of the {plural(found.length, 'line')} names it.</p>
            )}
            {shown.length > 0 && (
              <LogLines
                lines={shown.map(({ timestamp: time, severity, message: text }) => ({
                  time,
                  level: severity.toUpperCase().slice(0, 5),
                  text,
                }))}
              />
            )}
            {found.length === most && <p className="small muted">The first {most} lines. Open in Logs for more.</p>}
          </>
        );
      }}
    </Content>
  );
}

/** Whether a line or one of its labels names something. */
function says(labels: Json, message: string, name: string): boolean {
  return message.includes(name) || Object.values(labels as Record<string, Json>).some((value) => value === name);
}
