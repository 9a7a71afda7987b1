import type { Sheet } from '../sheet/sheet';
import type { Column } from './column';

/** The rows as they are, in the columns as they stand, with every digit. */
export function sheetOf<Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]): Sheet {
  const exported = columns.filter((column) => column.csv !== null);
  return {
    name: name.charAt(0).toUpperCase() + name.slice(1),
    columns: exported.map((column) => ({ name: column.header, isNumber: column.kind === 'number' })),
    rows: rows.map((row) => exported.map((column) => (column.csv ?? column.value)(row))),
  };
}
