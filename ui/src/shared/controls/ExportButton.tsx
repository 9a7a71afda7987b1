import { Download } from 'lucide-react';
import { useState } from 'react';
import { count } from '../format';
import { useCommands } from '../keyboard/commands';
import type { Column } from '../table/column';
import { tableToCsv } from '../table/csv';
import { toast } from '../toast';
import { Button } from './Button';

/** Saves the rows that are listed as CSV, with every digit. `Shift E` does it, too. */
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
  /** The rows; a function is asked for them, where the page has only a part of them. */
  rows: readonly Row[] | (() => Promise<readonly Row[]>);
  /** How many there are, where the page has only a part of them. */
  total?: number | undefined;
  save: (file: string, text: string, type: string) => Promise<void>;
  size?: 'default' | 'small';
}) {
  const [isBusy, setBusy] = useState(false);
  const many = typeof rows === 'function' ? total : rows.length;
  const run = async () => {
    setBusy(true);
    try {
      const all = typeof rows === 'function' ? await rows() : rows;
      await save(`${name.replaceAll(' ', '-')}.csv`, tableToCsv(columns, all), 'text/csv');
    } catch (error) {
      toast({ tone: 'bad', text: `The ${name} were not exported: ${(error as Error).message}` });
    } finally {
      setBusy(false);
    }
  };
  const start = () => {
    void run();
  };
  useCommands([{ id: 'export', title: `Export ${name}`, group: 'Do', keys: 'shift+e', icon: Download, run: start }]);
  const written = columns.filter((column) => column.csv !== null).length;
  return (
    <Button
      size={size}
      busy={isBusy && 'Exporting'}
      disabled={many === undefined || many === 0}
      title={`CSV, ${count(many)} rows, current filters, ${String(written)} columns`}
      onClick={start}
    >
      <Download className="i" />
      Export
    </Button>
  );
}
