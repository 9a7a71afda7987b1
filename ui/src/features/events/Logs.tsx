import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { request } from '@/api';
import type { ResultOf } from '@/api';
import { Check, Content, parseTime } from '@/shared';
import { LogLines } from './Evidence';
import { EventLogs } from './queries';

type Line = NonNullable<NonNullable<ResultOf<typeof EventLogs>['before']>[number]>;

/** Range of log lines before and after the start of an event, in ms. */
const before = 15 * 60_000;
const after = 15 * 60_000;
/** Maximum number of lines read on each side, those closest to the start. */
const most = 300;

interface Subject {
  account: string;
  start: string;
  /** Names of the subject that log lines may contain. */
  names: readonly string[];
}

/** Labels that identify the source of a line. */
const labels = ['pod', 'app', 'node', 'host', 'instance', 'container'];

/** Selectors of the lines that carry one of the names, in their text or in a label; of all lines without names. */
export function selectorsOf(names: readonly string[]): string[] {
  if (names.length === 0) return [''];
  const signs = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = names
    .map(signs)
    .join('|')
    .replace(/["\\]/g, (one) => `\\${one}`);
  return [`{} |~ "${pattern}"`, ...labels.map((label) => `{${label}=~"${pattern}"}`)];
}

/** Log lines of the account around the start of an event. */
export function Logs({ account, start, names }: Subject) {
  const at = parseTime(start).getTime();
  const [from, until] = [at - before, at + after];
  const [isNarrowed, setNarrowed] = useState(true);
  const query = useQuery<Line[], Error>({
    queryKey: ['graphql', 'event logs', account, at, isNarrowed ? names : null],
    queryFn: async ({ signal }) => {
      const found: Line[] = [];
      const part = (selector: string, start_time: number, end_time: number, order: 'asc' | 'desc') => ({
        account_id: account,
        query: selector,
        start_time,
        end_time,
        limit: most,
        sort_fields: [{ column_name: 'timestamp', order }],
      });
      // Sequential: each user has a limited share of the service, and the page sends other requests too.
      for (const selector of selectorsOf(isNarrowed ? names : [])) {
        const lines = await request(
          EventLogs,
          { before: part(selector, from, at, 'desc'), after: part(selector, at, until, 'asc') },
          signal,
        );
        found.push(...[...(lines.before ?? []), ...(lines.after ?? [])].filter((line) => line !== null));
      }
      return merged(found);
    },
  });
  return (
    <Content of={query} what="Log lines could not be read" lines={6}>
      {(found) => (
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
              {isNarrowed
                ? 'No stored log line within 15 min of its start mentions it.'
                : 'No log lines are stored for this account within 15 min of its start.'}
            </p>
          )}
          {found.length > 0 && (
            <LogLines
              lines={found.map(({ timestamp: time, severity, message: text }) => ({
                time,
                level: severity.toUpperCase().slice(0, 5),
                text,
              }))}
            />
          )}
          {found.length >= most && (
            <p className="small muted">The lines closest to its start. Open in Logs for more.</p>
          )}
        </>
      )}
    </Content>
  );
}

/** Lines in the order of time, each once: several selectors may find the same. */
export function merged(lines: readonly Line[]): Line[] {
  const all = new Map(lines.map((line) => [JSON.stringify([line.timestamp, line.message, line.labels]), line]));
  return [...all.values()].sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));
}
