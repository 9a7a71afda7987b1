import type { ImportReport } from '@/api';

/** The report of a file, for tests: nothing read, unless `to` says so. */
export function report(to: Partial<ImportReport>): ImportReport {
  return {
    file_name: 'a.csv',
    size_bytes: 1,
    sha256: '',
    format: null,
    state: 'done',
    rows_read: 0,
    rows_written: 0,
    rows_skipped: 0,
    period: null,
    accounts: [],
    totals: [],
    savings: [],
    skipped: [],
    reasons: [],
    replaced: null,
    notes: [],
    error: null,
    ...to,
  };
}
