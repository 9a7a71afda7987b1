/** Pieces of Markdown. Texts of others are escaped: they show as they were written. */

/** A text inside a line. */
export function inline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>#|~]/g, (sign) => `\\${sign}`);
}

/** A table; a row has as many cells as the head. Cells are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Lines in a code fence that none of them can close. */
export function fenced(lines: readonly string[]): string {
  const text = lines.join('\n');
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** A list; an item is Markdown already. */
export function list(items: readonly string[], sign = '-'): string {
  return items.map((item) => `${sign} ${item}`).join('\n');
}
