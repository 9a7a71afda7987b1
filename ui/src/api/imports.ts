import { serviceAddress } from '@/shared/place';
import { call } from './http';

export type ImportState = 'waiting' | 'running' | 'done' | 'done_with_skips' | 'unchanged' | 'failed';

/** What came of one file: `ingest::Report` of the service. Amounts are exact decimal texts. */
export interface ImportReport {
  file_name: string;
  size_bytes: number;
  sha256: string;
  format: string | null;
  format_title: string | null;
  state: ImportState;
  rows_read: number;
  rows_written: number;
  rows_skipped: number;
  period: { start: string; end: string } | null;
  accounts: { number: string; name: string; provider: string }[];
  /** A cost is null when no row of the file states it. */
  totals: {
    currency: string;
    billed_cost: string | null;
    effective_cost: string | null;
    list_cost: string | null;
    contracted_cost: string | null;
  }[];
  savings: { currency: string; estimated_monthly_savings: string }[];
  skipped: { line: number; column: string; value: string; reason: string }[];
  reasons: { reason: string; column: string; count: number; first_line: number; last_line: number; example: string }[];
  replaced: { rows: number; periods: string[] } | null;
  notes: string[];
  error: { message: string; looked_for: string[]; found: string } | null;
}

export interface ImportStatus {
  id: string;
  file_name: string;
  size_bytes: number;
  state: ImportState;
  progress: { bytes_read: number; bytes_total: number; rows_read: number } | null;
  report: ImportReport | null;
}

export function readImport(id: string, signal?: AbortSignal): Promise<ImportStatus> {
  return call<ImportStatus>(`/api/imports/${id}`, signal ? { signal } : {});
}

/** Stops an import that waits or runs; nothing of the file is written. */
export function cancelImport(id: string): Promise<null> {
  return call<null>(`/api/imports/${id}`, { method: 'DELETE' });
}

/** The address of the skipped rows of an import, as CSV. */
export function skippedRows(id: string): string {
  return serviceAddress(`/api/imports/${id}/skipped.csv`);
}

const ended = new Set<string>();

/** Whether that is news to this page. What it sent itself and what it is told of can be the same import. */
export function hasNewlyEnded(id: string): boolean {
  const isNew = !ended.has(id);
  ended.add(id);
  return isNew;
}
