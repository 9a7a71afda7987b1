import { serviceAddress } from '@/shared/place';
import { call, post } from './http';
import type { UploadBatch } from './upload';
import type { OfAnyVersion, Rest } from './rest';

export type ImportState = Rest.ImportStanding;

/** A sum of billed costs; `period` is a month (`2026-05`), a day, or null for a whole file. */
export type Amount = Rest.Amount;

/** The effect of a replacement on one account in one period. */
export type AmountChange = Rest.AmountChange;

/** The billed costs an import moved. */
export type ImportSums = Rest.ImportSums;

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
  | 'unknown_parts'
  | 'number_format'
  | 'date_format'
  | 'cost_view'
  | 'currency'
  | 'which_cluster'
  | 'idle_cost'
  | 'partly_billed'
  | 'mapping';

/**
 * A choice of a currency is `currency_` and its code, one of a cluster `cluster_` and its number, or `cluster_of_` and the id of its account; the
 * service's own word names it.
 */
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
  | 'amortized_cost'
  | 'count_beside_bill'
  | 'leave_to_bill'
  | 'idle_in_parts'
  | 'idle_apart';

export type Choice = Omit<Rest.ImportChoice, 'choice'> & { choice: ChoiceName };

/** A choice that a person has to make before anything changes, or has made. */
export type Decision = Omit<Rest.ImportDecision, 'choices' | 'decided' | 'reason'> & {
  reason: DecisionReason;
  choices: Choice[];
  decided: (Omit<Rest.DecidedChoice, 'choice'> & { choice: ChoiceName }) | null;
};

/** Files that belong together, and their manifest. */
export type Delivery = Rest.Delivery;

/** How the numbers or dates of a column were read, decided once from all of its values. */
export type ColumnFormat = Rest.ColumnFormat;

/**
 * What came of one file: `ingest::Report` of the service. Amounts are exact decimal texts.
 *
 * Reports of imports by an older version lack the optional parts.
 */
export type ImportReport = OfAnyVersion<
  Omit<Rest.ImportReport, 'answers' | 'decision' | 'state'>,
  'written' | 'delivery' | 'sums' | 'column_formats' | 'dropped_columns' | 'forms'
> & { state: ImportState; decision?: Decision | null; answers?: Decision[] };

/** A kind of file that can be imported: the list that the service recognises files by. */
export type ReadableFormat = Rest.ReadableFormat;

export function readFormats(signal?: AbortSignal): Promise<ReadableFormat[]> {
  return call<ReadableFormat[]>('/api/imports/formats', signal ? { signal } : {});
}

export type ImportStatus = OfAnyVersion<Omit<Rest.ImportStatus, 'report'>, 'file_kept'> & {
  report: ImportReport | null;
};

export function readImport(id: string, signal?: AbortSignal): Promise<ImportStatus> {
  return call<ImportStatus>(`/api/imports/${id}`, signal ? { signal } : {});
}

/** Stops an import that waits or runs; nothing of the file is written. */
export function cancelImport(id: string): Promise<null> {
  return call<null>(`/api/imports/${id}`, { method: 'DELETE' });
}

/** Marks a batch as complete, so that the files received are processed. */
export function closeBatch(batch: UploadBatch): Promise<unknown> {
  return post(`/api/imports/batches/${batch.id}`, { files: batch.files });
}

/** Sets the choice for a waiting import, which then runs again. `all` applies it to other files with the same question. */
export function decideImport(id: string, choice: ChoiceName, all = false): Promise<unknown> {
  return post(`/api/imports/${id}/decision`, all ? { choice, all } : { choice });
}

/** Other files of an import's delivery that wait for the answer to the same question. */
export type SameQuestion = Rest.SameQuestion;

export function readSameQuestion(id: string, signal?: AbortSignal): Promise<SameQuestion> {
  return call<SameQuestion>(`/api/imports/${id}/decision`, { signal });
}

/** The effect of undoing an import. */
export type UndoPreview = Rest.UndoPreview;

export function previewUndo(id: string, signal?: AbortSignal): Promise<UndoPreview> {
  return call<UndoPreview>(`/api/imports/${id}/undo`, signal ? { signal } : {});
}

/** Undoes an import and the later imports `others` that depend on it, all or nothing. */
export function undoImport(id: string, others: readonly string[]): Promise<Rest.UndoneImports> {
  return post<Rest.UndoneImports>(`/api/imports/${id}/undo`, { with: others });
}

/** One line of an uploaded file. */
export type FileLine = Rest.FileRecord;

export function readLine(id: string, line: number, signal?: AbortSignal): Promise<FileLine> {
  return call<FileLine>(`/api/imports/${id}/lines/${String(line)}`, signal ? { signal } : {});
}

/** The download address of the original file. */
export function importedFile(id: string): string {
  return serviceAddress(`/api/imports/${id}/file`);
}

/** Deletes the stored bytes of a file; imported data stays. */
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

/** Whether this page has not seen the import yet. An import it started can also be reported to it. */
export function hasNewlyEnded(id: string): boolean {
  const isNew = !ended.has(id);
  ended.add(id);
  return isNew;
}
