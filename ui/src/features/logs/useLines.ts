import { useMemo } from 'react';
import { useGraphQL } from '@/api';
import { parseTime, useNow } from '@/shared';
import { lineOf, selectorOf } from './lines';
import { LogExtent, LogLines } from './queries';
import type { LogsSearch } from './search';

/** So many lines are read at once; more are found by narrowing the time. */
export const mostLines = 2_000;
const hour = 3_600_000;

/** The lines of an account that an address asks for, and how far its stored lines reach. */
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
  const request = {
    account_id: account,
    query: selectorOf(search.q ?? ''),
    start_time: from,
    end_time: to,
    limit: mostLines,
  };
  const isKnown = extent.data !== undefined && isSound;
  const query = useGraphQL(LogLines, { request }, { enabled: isKnown });
  /** Of every level. */
  const all = useMemo(
    () => query.data?.logs_query?.flatMap((line, at) => (line ? [lineOf(line, at)] : [])),
    [query.data],
  );
  const lines = useMemo(
    () => all?.filter(({ level }) => search.level === undefined || level === search.level),
    [all, search.level],
  );
  return { stored, end, from, to, isSound, all, lines, error: query.error ?? extent.error, refetch: query.refetch };
}
