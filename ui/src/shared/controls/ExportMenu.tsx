import { ChevronDown, Download } from 'lucide-react';
import { useState } from 'react';
import { count, plural } from '../format';
import { useCommands } from '../keyboard/commands';
import { formats, saveSheet } from '../sheet/sheet';
import type { Format, Save, Sheet } from '../sheet/sheet';
import { toast } from '../toast';
import { Button } from './Button';
import { Menu } from './Menu';

/** Saves a table as CSV, with every digit, or as a workbook. `Shift E` saves the CSV. */
export function ExportMenu({
  name,
  file,
  table,
  many,
  columns,
  save,
  says = 'current filters',
  size = 'default',
}: {
  /** Of the rows: "events". */
  name: string;
  /** Of the file without its ending. */
  file: string;
  /** Builds the table when it is saved. */
  table: () => Sheet | Promise<Sheet>;
  /** The number of rows; undefined while it is unknown. */
  many: number | undefined;
  columns: number;
  save: Save;
  /** Which rows they are. */
  says?: string;
  size?: 'default' | 'small';
}) {
  const [isBusy, setBusy] = useState(false);
  const run = async (format: Format) => {
    setBusy(true);
    try {
      await saveSheet(await table(), file, format, save);
    } catch (error) {
      toast({ tone: 'bad', text: `The ${name} were not exported: ${(error as Error).message}` });
    } finally {
      setBusy(false);
    }
  };
  const start = (format: Format) => () => {
    void run(format);
  };
  const isEmpty = many === undefined || many === 0;
  const idle = isEmpty ? { disabled: 'There is nothing to export' } : {};
  useCommands([
    {
      id: 'export',
      title: `Export ${name}`,
      group: 'Do',
      keys: 'shift+e',
      icon: Download,
      ...idle,
      run: start('csv'),
    },
    { id: 'export xlsx', title: `Export ${name} as XLSX`, group: 'Do', icon: Download, ...idle, run: start('xlsx') },
  ]);
  const detail = `${count(many)} ${many === 1 ? 'row' : 'rows'}, ${says}, ${plural(columns, 'column')}`;
  return (
    <Menu
      label="Export"
      trigger={
        <Button size={size} busy={isBusy && 'Exporting'} disabled={isEmpty} title={detail}>
          <Download className="i" />
          Export
          <ChevronDown className="i s" />
        </Button>
      }
      entries={[
        { label: formats.csv.title, detail: `${detail}, every digit`, keys: 'shift+e', run: start('csv') },
        { label: formats.xlsx.title, detail: `${detail}, for spreadsheets`, run: start('xlsx') },
      ]}
    />
  );
}
