import { Download } from 'lucide-react';
import { host } from '@/host';
import { Button, count, tableToCsv, useCommands } from '@/shared';
import type { Column } from '@/shared';

/** Saves the rows that are listed, in all columns, with every digit. */
export function ExportButton<Row>({
  columns,
  rows,
  name,
}: {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Of the file, without its ending, and of the rows: "workflows". */
  name: string;
}) {
  const save = () => {
    void host.saveFile(`${name}.csv`, tableToCsv(columns, rows), 'text/csv');
  };
  useCommands([{ id: 'export', title: `Export ${name}`, group: 'Do', keys: 'shift+e', icon: Download, run: save }]);
  return (
    <Button onClick={save} title={`CSV, ${count(rows.length)} rows, current filters`}>
      <Download className="i" />
      Export
    </Button>
  );
}
