import { useQueries } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { graphqlOptions, readAll } from '@/api';
import type { ApiError, ResultOf } from '@/api';
import { mostPrinted, useLater } from '@/shared';
import { ResourcePage } from './queries';
import { rowOf } from './row';
import type { Row } from './row';
import { pageRequest, pageSize } from './where';
import type { totalsRequest } from './where';

/** The loaded rows of a long list. */
interface Part {
  /** Undefined while no row is loaded. */
  rows: readonly Row[] | undefined;
  /** The place of the first of them in the list. */
  first: number;
  error: ApiError | null;
  retry: () => void;
}

interface View {
  /** The list it is a part of. */
  of: string;
  first: number;
  last: number;
}

/** The rows of consecutive loaded pages; `from` is the number of the first requested page. */
function joined(answers: UseQueryResult<ResultOf<typeof ResourcePage>, ApiError>[], from: number): Part {
  const pages = answers.map((answer) => answer.data?.cloud_resources_page?.rows);
  const start = pages.findIndex((page) => page !== undefined);
  const gap = pages.findIndex((page, at) => at > start && page === undefined);
  const whole = start < 0 ? undefined : pages.slice(start, gap < 0 ? undefined : gap);
  return {
    rows: whole?.flatMap((page) => page?.map(rowOf) ?? []),
    first: (from + Math.max(start, 0)) * pageSize,
    error: answers.find((answer) => answer.error)?.error ?? null,
    retry: () => {
      for (const answer of answers) if (answer.error) void answer.refetch();
    },
  };
}

/** All rows of a list, for a file. */
export function readRows(
  totals: ReturnType<typeof totalsRequest>,
  sort: string,
  total: number,
): Promise<readonly Row[]> {
  return readAll({
    document: ResourcePage,
    page: (place) => ({ request: { ...pageRequest(totals, sort, 0), ...place } }),
    rowsOf: (answer) => answer.cloud_resources_page?.rows.map(rowOf) ?? [],
    total,
  });
}

/**
 * Reads the pages of the list that are in view. The others follow where the whole list would go on paper: a browser that prints waits for no answer.
 *
 * `total` and `sort` are undefined until they are known. `onView` says which places are in view, both included.
 */
export function usePages(
  totals: ReturnType<typeof totalsRequest>,
  sort: string | undefined,
  total: number | undefined,
): Part & { onView: (first: number, last: number) => void } {
  const of = JSON.stringify([totals, sort]);
  const [view, setView] = useState<View>({ of, first: 0, last: 0 });
  // Another list starts at its top.
  const { first, last } = view.of === of ? view : { first: 0, last: 0 };
  const isWhole = useLater() && total !== undefined && total <= mostPrinted;
  const from = isWhole ? 0 : Math.floor(first / pageSize);
  const until = Math.floor((isWhole ? Math.max(0, total - 1) : last) / pageSize);
  const part = useQueries({
    queries: Array.from({ length: until - from + 1 }, (_, at) => ({
      ...graphqlOptions(ResourcePage, { request: pageRequest(totals, sort ?? '', from + at) }),
      enabled: sort !== undefined,
      // The rows of another place or order would be wrong here.
      placeholderData: undefined,
    })),
    combine: useCallback(
      (answers: UseQueryResult<ResultOf<typeof ResourcePage>, ApiError>[]) => joined(answers, from),
      [from],
    ),
  });
  const onView = useCallback(
    (first: number, last: number) => {
      setView({ of, first, last });
    },
    [of],
  );
  return { ...part, onView };
}
