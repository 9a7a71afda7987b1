import type { Save } from '../sheet/sheet';
import type { Column } from '../table/column';
import { sheetOf } from '../table/sheet';
import { ExportMenu } from './ExportMenu';

/** Saves the rows that are listed, in the columns that are exported. */
export function ExportButton<Row>({
  name,
  columns,
  rows,
  total,
  save,
  size = 'default',
}: {
  /** Of the file without its ending, and of the rows: "events". */
  name: string;
  columns: readonly Column<Row>[];
  /** The rows, or a function that loads them if the page has only a part. */
  rows: readonly Row[] | (() => Promise<readonly Row[]>);
  /** How many there are, where the page has only a part of them. */
  total?: number | undefined;
  save: Save;
  size?: 'default' | 'small';
}) {
  return (
    <ExportMenu
      name={name}
      file={name.replaceAll(' ', '-')}
      table={async () => sheetOf(name, columns, typeof rows === 'function' ? await rows() : rows)}
      many={typeof rows === 'function' ? total : rows.length}
      columns={columns.filter((column) => column.csv !== null).length}
      save={save}
      size={size}
    />
  );
}
