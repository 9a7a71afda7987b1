import { csv } from '../csv';
import type { Column } from './column';

/** The rows as they are, in the columns as they stand, with every digit. */
export function tableToCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const exported = columns.filter((column) => column.csv !== null);
  return csv(
    exported.map((column) => column.header),
    rows.map((row) => exported.map((column) => (column.csv ?? column.value)(row))),
  );
}
