import { Download } from 'lucide-react';
import { host } from '@/host';
import { Button, csv, useCommands } from '@/shared';
import type { Period } from './period';
import { useSpend } from './spend';

/** Saves the days of the month, every currency and every digit. */
export function Export({ shown }: { shown: Period }) {
  const rows = useSpend(shown).data?.now ?? [];
  const save = () => {
    const lines = [...rows]
      .sort((a, b) => ((a.spend_date ?? '') < (b.spend_date ?? '') ? -1 : 1))
      .map((row) => [row.spend_date?.slice(0, 10), row.currency_type, row.billed_cost, row.effective_cost]);
    const text = csv(['Day', 'Currency', 'Billed cost', 'Effective cost'], lines);
    void host.saveFile(`spend-${shown.now.from.slice(0, 7)}.csv`, text, 'text/csv');
  };
  useCommands([
    { id: 'export', title: 'Export the days of the month', group: 'Do', keys: 'shift+e', icon: Download, run: save },
  ]);
  return (
    <Button onClick={save} title={`CSV, ${String(rows.length)} rows, one per day and currency`}>
      <Download className="i" />
      Export
    </Button>
  );
}
