import { ChevronDown, Download } from 'lucide-react';
import { Button, Menu, useCommands, useStore } from '@/shared';
import { exportChart, exportPdf, exportTable, exports } from './exports';

/** Exports the current view; every entry describes the content of its file. */
export function ExportMenu() {
  const files = useStore(exports);
  const idle = files ? {} : { disabled: 'There is nothing to export' };
  const table = {
    title: 'Export the table as CSV',
    group: 'Do' as const,
    ...idle,
    run: () => {
      exportTable();
    },
  };
  useCommands([
    { ...table, id: 'costs export', keys: 'shift+e', icon: Download },
    { ...table, id: 'costs export letter', keys: 'e', keysOnly: true },
  ]);
  return (
    <Menu
      label="Export"
      trigger={
        <Button>
          <Download className="i s" />
          Export
          <ChevronDown className="i s" />
        </Button>
      }
      entries={[
        {
          label: 'Table as CSV',
          detail: () => files?.table().says ?? '',
          keys: 'shift+e',
          ...idle,
          run: table.run,
        },
        {
          label: 'Table as XLSX',
          detail: () => files?.table().says ?? '',
          ...idle,
          run: () => {
            exportTable('xlsx');
          },
        },
        {
          label: 'Chart as CSV',
          detail: () => files?.chart().says ?? '',
          ...idle,
          run: exportChart,
        },
        { label: 'Table and chart as PDF', detail: () => files?.table().says ?? '', ...idle, run: exportPdf },
      ]}
    />
  );
}
