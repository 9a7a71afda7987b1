/** A cell of a CSV file. Numbers go in with every digit they have. */
export type Cell = string | number | null | undefined;

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** Escapes text so that spreadsheets do not run it as a formula. Numbers stay numbers. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

function cell(value: Cell): string {
  const text = value === null || value === undefined ? '' : harmless(String(value));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** RFC 4180 text: comma, CRLF, quotes where needed. The first row holds the names of the columns. */
export function csv(head: readonly string[], rows: Iterable<readonly Cell[]>): string {
  const lines = [head.map(cell).join(',')];
  for (const row of rows) lines.push(row.map(cell).join(','));
  return lines.join('\r\n') + '\r\n';
}
