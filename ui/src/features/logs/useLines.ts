import { useMemo } from 'react';
import { useGraphQL, useLack } from '@/api';
import { parseTime, useNow } from '@/shared';
import { lineOf, selectorOf } from './lines';
import { LogExtent, LogLines, LogSummary } from './queries';
import type { LogsSearch } from './search';

/** So many lines are read at once; more are found by narrowing the time. */
export const mostLines = 2_000;
const hour = 3_600_000;
/** Parts of the time that are counted apart. */
export const parts = 60;
const mostPatterns = 200;

/** The log lines of an account for an address, and the range of its stored lines. */
export function useLines(account: string, search: LogsSearch) {
  const now = useNow();
  const extent = useGraphQL(LogExtent, { account });
  const stored = extent.data?.logs_aggregate.aggregate;
  const last = stored?.max?.timestamp ?? null;
  /** Just behind the newest stored line. */
  const end = last === null ? now.getTime() : parseTime(last).getTime() + 60_000;
  const to = search.to === undefined ? end : parseTime(`${search.to}Z`).getTime();
  const from = search.from === undefined ? to - hour : parseTime(`${search.from}Z`).getTime();
  const isSound = from < to;
  // Older instances do not filter by level: the lines they return are filtered here.
  const canSum = useLack()({ fields: ['logs_summarise'] }) === undefined;
  const window = { account_id: account, start_time: from, end_time: to };
  const isKnown = extent.data !== undefined && isSound;
  const query = useGraphQL(
    LogLines,
    { request: { ...window, query: selectorOf(search.q ?? '', canSum ? search.level : undefined), limit: mostLines } },
    { enabled: isKnown && search.show === undefined },
  );
  const summary = useGraphQL(
    LogSummary,
    {
      request: {
        ...window,
        query: selectorOf(search.q ?? '', search.show === 'patterns' ? search.level : undefined),
        parts,
        patterns: search.show === 'patterns' ? mostPatterns : 0,
      },
    },
    { enabled: isKnown && canSum },
  );
  const all = useMemo(
    () => query.data?.logs_query?.flatMap((line, at) => (line ? [lineOf(line, at)] : [])),
    [query.data],
  );
  const lines = useMemo(
    () => all?.filter(({ level }) => search.level === undefined || level === search.level),
    [all, search.level],
  );
  return {
    stored,
    end,
    from,
    to,
    isSound,
    canSum,
    all,
    lines,
    summary: summary.isPlaceholderData ? undefined : (summary.data?.logs_summarise ?? undefined),
    error: extent.error ?? (search.show === 'patterns' ? summary.error : query.error),
    refetch: search.show === 'patterns' ? summary.refetch : query.refetch,
  };
}
