import { csv } from '../csv';
import type { Cell } from '../csv';

/** A table on its way into a file. */
export interface Sheet {
  /** Of the worksheet. */
  name: string;
  columns: readonly { name: string; isNumber?: boolean }[];
  rows: readonly (readonly Cell[])[];
}

/** The kinds of files that lists are exported as. */
export const formats = {
  csv: { title: 'CSV', type: 'text/csv;charset=utf-8' },
  xlsx: { title: 'XLSX', type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
} as const;

export type Format = keyof typeof formats;

/** Hands a file to the person: `host.saveFile`. */
export type Save = (file: string, content: string | Uint8Array<ArrayBuffer>, type: string) => Promise<void>;

/** The table as a file; `name` is that of the file, without its ending. A CSV begins with the mark by which spreadsheets know UTF-8. */
export async function saveSheet(sheet: Sheet, name: string, format: Format, save: Save): Promise<void> {
  const titles = sheet.columns.map((column) => column.name);
  // Loaded when somebody saves a workbook: most visits do not.
  const content = format === 'xlsx' ? (await import('./xlsx')).xlsx(sheet) : `\ufeff${csv(titles, sheet.rows)}`;
  await save(`${name}.${format}`, content, formats[format].type);
}
