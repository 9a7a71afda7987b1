import { useQueries } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useLater } from '@/shared/useLater';
import type { ApiError } from './error';
import type { Document } from './graphql';
import { request } from './client';
import { graphqlOptions } from './query';

/** Rows that are read at once. */
export const pageSize = 100;

/** The loaded rows of a long list. */
export interface Part<Row> {
  /** Undefined while no row is loaded. */
  rows: readonly Row[] | undefined;
  /** The place of the first of them in the list. */
  first: number;
  error: ApiError | null;
  retry: () => void;
}

/** How a list is queried. */
export interface Listing<Result, Variables, Row> {
  document: Document<Result, Variables>;
  /** The variables of one page; undefined while they are unknown. */
  page: ((place: { limit: number; offset: number }) => Variables) | undefined;
  rowsOf: (result: Result) => readonly Row[];
  /** Identifies the list: another value is another list, which starts at its top. */
  of: string;
  /** Rows of the whole list; undefined until they are counted. */
  total: number | undefined;
  /** A list of so many rows is read whole when the page is painted: a browser that prints waits for no answer. */
  whole: number;
}

/** The rows of consecutive loaded pages. `from` is the number of the first requested page. */
export function joined<Row>(pages: readonly (readonly Row[] | undefined)[], from: number) {
  const start = pages.findIndex((page) => page !== undefined);
  const gap = pages.findIndex((page, at) => at > start && page === undefined);
  const found = start < 0 ? undefined : pages.slice(start, gap < 0 ? undefined : gap);
  return { rows: found?.flatMap((page) => page ?? []), first: (from + Math.max(start, 0)) * pageSize };
}

/** Loads the pages of a list that are in view; `onView` takes the first and last index in view. */
export function usePaged<Result, Variables, Row>({
  document,
  page,
  rowsOf,
  of,
  total,
  whole,
}: Listing<Result, Variables, Row>): Part<Row> & { onView: (first: number, last: number) => void } {
  const [view, setView] = useState({ of, first: 0, last: 0 });
  const { first, last } = view.of === of ? view : { first: 0, last: 0 };
  const isWhole = useLater() && total !== undefined && total <= whole;
  const from = isWhole ? 0 : Math.floor(first / pageSize);
  const until = Math.floor((isWhole ? Math.max(0, total - 1) : last) / pageSize);
  const answers = useQueries({
    queries: Array.from({ length: until - from + 1 }, (_, at) => ({
      ...graphqlOptions(
        document,
        (page ?? (() => ({}) as Variables))({ limit: pageSize, offset: (from + at) * pageSize }),
      ),
      enabled: page !== undefined,
      // The rows of another place or order would be wrong here.
      placeholderData: undefined,
    })),
    combine: useCallback(
      (all: UseQueryResult<Result, ApiError>[]) => ({
        ...joined(
          all.map(({ data }) => (data === undefined ? undefined : rowsOf(data))),
          from,
        ),
        error: all.find(({ error }) => error)?.error ?? null,
        retry: () => {
          for (const one of all) if (one.error) void one.refetch();
        },
      }),
      [from, rowsOf],
    ),
  });
  const onView = useCallback(
    (first: number, last: number) => {
      setView({ of, first, last });
    },
    [of],
  );
  return { ...answers, onView };
}

/** Page size for exports: the maximum of every listing. */
const partOfFile = 200;

/** Reads all rows of a long list, one part after the other: for exports, and to select them. `total` is how many there are. */
export async function readAll<Result, Variables, Row>({
  document,
  page,
  rowsOf,
  total,
  onProgress,
}: Pick<Listing<Result, Variables, Row>, 'document' | 'rowsOf'> & {
  page: (place: { limit: number; offset: number }) => Variables;
  total: number;
  /** Called with the number of loaded rows; returning false stops the export. */
  onProgress?: (read: number) => boolean;
}): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let offset = 0; offset < total; offset += partOfFile) {
    const part = rowsOf(await request(document, page({ limit: partOfFile, offset })));
    rows.push(...part);
    if (part.length === 0 || onProgress?.(rows.length) === false) break;
  }
  return rows;
}
