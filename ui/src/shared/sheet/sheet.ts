import { csv } from '../csv';
import type { Cell } from '../csv';

/** A table for export to a file. */
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

/** Saves the table as a file; `name` excludes the extension. A CSV starts with a byte order mark, by which spreadsheets detect UTF-8. */
export async function saveSheet(sheet: Sheet, name: string, format: Format, save: Save): Promise<void> {
  const titles = sheet.columns.map((column) => column.name);
  // Loaded on the first XLSX export: most visits do not need it.
  const content = format === 'xlsx' ? (await import('./xlsx')).xlsx(sheet) : `\ufeff${csv(titles, sheet.rows)}`;
  await save(`${name}.${format}`, content, formats[format].type);
}
