import { serviceAddress } from '@/shared/place';
import { call, post } from './http';
import type { UploadBatch } from './upload';

export type ImportState =
  | 'waiting'
  | 'running'
  | 'done'
  | 'done_with_skips'
  | 'unchanged'
  /** Recognised, but no row of it could be read: nothing was written. */
  | 'nothing_read'
  /** Nothing changes until a person chooses. */
  | 'needs_decision'
  /** A manifest names parts that are not there yet. */
  | 'waiting_for_parts'
  | 'failed'
  | 'undone';

/** A sum of billed costs; `period` is a month (`2026-05`), a day, or null for a whole file. */
export interface Amount {
  period: string | null;
  currency: string;
  billed_cost: string;
}

/** What a replacement did to one account in one period. */
export interface AmountChange {
  period: string;
  account: string;
  account_name: string;
  currency: string;
  before: string;
  after: string;
}

/** The billed costs an import moved. */
export interface ImportSums {
  file: Amount[];
  added: Amount[];
  replaced: AmountChange[];
  /** What is stored now in the periods it touched. */
  stored: Amount[];
}

export type DecisionReason =
  | 'partly_known'
  | 'much_smaller'
  | 'only_credits'
  | 'unreadable_rows'
  | 'lowers_period'
  | 'unclear_identity'
  | 'two_versions'
  | 'other_cost_view'
  | 'told_otherwise'
  | 'number_format'
  | 'date_format'
  | 'cost_view'
  | 'currency'
  | 'mapping';

/** A choice of a currency is `currency_` and its code; the service's own word names it. */
export type ChoiceName =
  | 'add'
  | 'replace'
  | 'replace_accounts'
  | 'combine'
  | 'decimal_comma'
  | 'decimal_point'
  | 'day_first'
  | 'month_first'
  | 'actual_cost'
  | 'amortized_cost';

export interface Choice {
  choice: ChoiceName;
  label: string;
  /** The stored total of each period, now and after this choice. */
  totals: { period: string; currency: string; before: string; after: string }[];
}

/** What a person has to choose before anything changes, or has chosen. */
export interface Decision {
  reason: DecisionReason;
  question: string;
  choices: Choice[];
  decided: { choice: ChoiceName; by: string | null; at: string } | null;
}

/** The files that belong together, and the manifest that says so. */
export interface Delivery {
  id: string;
  manifest: {
    kind: 'azure' | 'aws_export' | 'aws_cur';
    file_name: string;
    run_id: string | null;
    submitted_at: string | null;
    period: string | null;
  } | null;
  parts: { file_name: string; is_present: boolean; size_bytes?: number }[];
}

/** How the numbers or dates of a column were read, decided once from all of its values. */
export interface ColumnFormat {
  column: string;
  format: string;
  example: string;
  reads_as: string;
}

/**
 * What came of one file: `ingest::Report` of the service. Amounts are exact decimal texts.
 *
 * Reports of imports by an older version lack the optional parts.
 */
export interface ImportReport {
  file_name: string;
  size_bytes: number;
  sha256: string;
  /** `null` when the file was not recognised. */
  format: { id: string; title: string } | null;
  state: ImportState;
  rows_read: number;
  rows_written: number;
  rows_skipped: number;
  /** What was written, by kind: recommendations, checks_passed, resources, events … Empty for a bill. */
  written?: Record<string, number>;
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
  /** `place` says where it stands in a document, such as `$.items[17]`; `line` is 0 then. */
  skipped: { line: number; column: string; value: string; reason: string; place?: string }[];
  reasons: {
    reason: string;
    column: string;
    count: number;
    first_line: number;
    last_line: number;
    example: string;
    first_place?: string;
  }[];
  replaced: { rows: number; periods: string[] } | null;
  notes: string[];
  delivery?: Delivery | null;
  sums?: ImportSums | null;
  decision?: Decision | null;
  column_formats?: ColumnFormat[];
  dropped_columns?: string[];
  error: { message: string; looked_for: string[]; found: string } | null;
}

/** A kind of file that can be imported: the list that the service recognises files by. */
export interface ReadableFormat {
  id: string;
  title: string;
  source: string;
  fills: string;
}

export function readFormats(signal?: AbortSignal): Promise<ReadableFormat[]> {
  return call<ReadableFormat[]>('/api/imports/formats', signal ? { signal } : {});
}

export interface ImportStatus {
  id: string;
  file_name: string;
  size_bytes: number;
  state: ImportState;
  progress: { bytes_read: number; bytes_total: number; rows_read: number } | null;
  report: ImportReport | null;
  /** Whether the bytes of the file are still there; an older version does not tell. */
  file_kept?: boolean;
}

export function readImport(id: string, signal?: AbortSignal): Promise<ImportStatus> {
  return call<ImportStatus>(`/api/imports/${id}`, signal ? { signal } : {});
}

/** Stops an import that waits or runs; nothing of the file is written. */
export function cancelImport(id: string): Promise<null> {
  return call<null>(`/api/imports/${id}`, { method: 'DELETE' });
}

/** Says that no more files of a batch come, so that those that did are decided about. */
export function closeBatch(batch: UploadBatch): Promise<unknown> {
  return post(`/api/imports/batches/${batch.id}`, { files: batch.files });
}

/** Chooses what happens with an import that waits for a decision; it runs again then. `all`: also for other files with the same question. */
export function decideImport(id: string, choice: ChoiceName, all = false): Promise<unknown> {
  return post(`/api/imports/${id}/decision`, all ? { choice, all } : { choice });
}

/** Other files of an import's delivery that wait for the answer to the same question. */
export interface SameQuestion {
  file_names: string[];
}

export function readSameQuestion(id: string, signal?: AbortSignal): Promise<SameQuestion> {
  return call<SameQuestion>(`/api/imports/${id}/decision`, { signal });
}

/** What taking an import back would change. */
export interface UndoPreview {
  /** This import and the later ones that rest on it, newest first. */
  imports: { id: string; file_name: string; created_at: string }[];
  /** Charges and recommendations that are removed. */
  rows: number;
  totals: { period: string; account_name: string; currency: string; before: string; after: string }[];
  /** What came only from these imports and goes with them. */
  accounts: number;
  resources: number;
  tag_keys: number;
}

export function previewUndo(id: string, signal?: AbortSignal): Promise<UndoPreview> {
  return call<UndoPreview>(`/api/imports/${id}/undo`, signal ? { signal } : {});
}

/** Takes an import back, and the later ones `others` that rest on it, all or nothing. */
export function undoImport(id: string, others: readonly string[]): Promise<{ undone: string[] }> {
  return post<{ undone: string[] }>(`/api/imports/${id}/undo`, { with: others });
}

/** One line of a file, as it was handed in. */
export interface FileLine {
  line: number;
  text: string;
  columns: { name: string; value: string }[];
}

export function readLine(id: string, line: number, signal?: AbortSignal): Promise<FileLine> {
  return call<FileLine>(`/api/imports/${id}/lines/${String(line)}`, signal ? { signal } : {});
}

/** The address of the file as it was handed in. */
export function importedFile(id: string): string {
  return serviceAddress(`/api/imports/${id}/file`);
}

/** Deletes the kept bytes of a file; what was imported from it stays. */
export function dropFile(id: string): Promise<null> {
  return call<null>(`/api/imports/${id}/file`, { method: 'DELETE' });
}

/** The address of the skipped rows of an import, as CSV. */
export function skippedRows(id: string): string {
  return serviceAddress(`/api/imports/${id}/skipped.csv`);
}

const ended = new Set<string>();

/** An import that runs again will end again. */
export function expectEndAgain(id: string): void {
  ended.delete(id);
}

/** Whether that is news to this page. What it sent itself and what it is told of can be the same import. */
export function hasNewlyEnded(id: string): boolean {
  const isNew = !ended.has(id);
  ended.add(id);
  return isNew;
}
