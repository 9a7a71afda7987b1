import { parseDecimal } from './value';

/** A business number as read from a file. */
export interface NumberRow {
  line: number;
  name: string;
  group: string;
  date: string;
  value: string;
}

/** A line that the service would leave out. */
export interface LeftOut {
  line: number;
  reason: 'name' | 'date' | 'value' | 'twice';
  quote: string;
}

export interface NumberTable {
  rows: NumberRow[];
  leftOut: LeftOut[];
}

const columns = ['name', 'date', 'value', 'group'] as const;

/** Reads a table of numbers as the service reads it, to show it before it is sent; undefined when its columns are others. */
export function readTable(text: string): NumberTable | undefined {
  const lines = cellsOf(text.replace(/^\uFEFF/, ''));
  const header = lines[0]?.cells.map((cell) => cell.toLowerCase());
  if (!header || !header.every((cell) => columns.some((name) => name === cell))) return undefined;
  if (!['name', 'date', 'value'].every((name) => header.includes(name))) return undefined;
  const table: NumberTable = { rows: [], leftOut: [] };
  const met = new Set<string>();
  for (const { line, cells } of lines.slice(1)) {
    const cell = (name: string) => cells[header.indexOf(name)] ?? '';
    const [name, group, date, value] = [cell('name'), cell('group'), cell('date'), cell('value')];
    const leave = (reason: LeftOut['reason'], quote: string) => {
      table.leftOut.push({ line, reason, quote });
    };
    const day = /^(\d{4}-\d\d-\d\d)(T00:00(:00)?Z?)?$/.exec(date)?.[1];
    if (name === '') leave('name', '');
    else if (day === undefined || Number.isNaN(Date.parse(day))) leave('date', date);
    else if (parseDecimal(value) === undefined) leave('value', value);
    else if (met.has(JSON.stringify([name, group, day]))) leave('twice', `${name} ${group} ${day}`);
    else {
      met.add(JSON.stringify([name, group, day]));
      table.rows.push({ line, name, group, date: day, value });
    }
  }
  return table;
}

interface Line {
  line: number;
  cells: string[];
}

/** The cells of a CSV, with the most frequent delimiter of the header; quoted cells may contain delimiters and line ends. */
function cellsOf(text: string): Line[] {
  const first = text.split('\n', 1)[0] ?? '';
  const delimiter = [',', ';', '\t', '|'].reduce((best, one) =>
    first.split(one).length > first.split(best).length ? one : best,
  );
  const lines: Line[] = [];
  let [cell, isQuoted, line] = ['', false, 1];
  let current: Line = { line, cells: [] };
  const end = () => {
    current.cells.push(cell.trim());
    cell = '';
  };
  const endLine = () => {
    end();
    if (current.cells.some((one) => one !== '')) lines.push(current);
    current = { line, cells: [] };
  };
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    if (letter === '\n') line += 1;
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"') isQuoted = true;
    else if (letter === delimiter) end();
    else if (letter === '\n') endLine();
    else if (letter !== '\r') cell += letter;
  }
  if (cell !== '' || current.cells.length > 0) endLine();
  return lines;
}

/** The content of a table per number: how many days, and which. */
export interface Held {
  name: string;
  count: number;
  from: string;
  to: string;
  groups: number;
}

export function heldIn(rows: readonly NumberRow[]): Held[] {
  const held = new Map<string, Held & { met: Set<string> }>();
  for (const { name, group, date } of rows) {
    const one = held.get(name) ?? { name, count: 0, from: date, to: date, groups: 0, met: new Set<string>() };
    one.met.add(group);
    held.set(name, {
      ...one,
      count: one.count + 1,
      from: date < one.from ? date : one.from,
      to: date > one.to ? date : one.to,
      groups: one.met.size,
    });
  }
  return [...held.values()].map(({ name, count, from, to, groups }) => ({ name, count, from, to, groups }));
}
