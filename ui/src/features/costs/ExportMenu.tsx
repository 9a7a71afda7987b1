import { ChevronDown, Download } from 'lucide-react';
import { Button, Menu, toast, useCommands, useStore } from '@/shared';
import { save } from './export';
import { exports } from './exports';

/** Saves what is on screen; every entry says what its file will hold. */
export function ExportMenu() {
  const files = useStore(exports);
  const write = (what: 'table' | 'chart') => {
    const file = files?.[what]();
    if (!file) return;
    save(file);
    toast({ tone: 'ok', text: `Exported ${file.name}: ${file.says}` });
  };
  const idle = files ? {} : { disabled: 'There is nothing to export' };
  const table = {
    title: 'Export the table as CSV',
    group: 'Do' as const,
    ...idle,
    run: () => {
      write('table');
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
        <Button className="show-m">
          <Download className="i s" />
          Export
          <ChevronDown className="i s" />
        </Button>
      }
      entries={[
        {
          label: 'Table as CSV',
          detail: files?.table().says ?? '',
          keys: 'shift+e',
          ...idle,
          run: table.run,
        },
        {
          label: 'Chart as CSV',
          detail: files?.chart().says ?? '',
          ...idle,
          run: () => {
            write('chart');
          },
        },
      ]}
    />
  );
}
