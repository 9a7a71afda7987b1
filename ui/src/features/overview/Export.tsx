import { host } from '@/host';
import { ExportMenu } from '@/shared';
import type { Period } from './period';
import { useSpend } from './spend';

const columns = [
  { name: 'Day' },
  { name: 'Currency' },
  { name: 'Billed cost', isNumber: true },
  { name: 'Effective cost', isNumber: true },
];

/** Saves the days of the month, every currency and every digit. */
export function Export({ shown }: { shown: Period }) {
  const rows = useSpend(shown).data?.now ?? [];
  const table = () => ({
    name: `Spend ${shown.now.from.slice(0, 7)}`,
    columns,
    rows: [...rows]
      .sort((a, b) => ((a.spend_date ?? '') < (b.spend_date ?? '') ? -1 : 1))
      .map((row) => [row.spend_date?.slice(0, 10), row.currency_type, row.billed_cost, row.effective_cost]),
  });
  return (
    <ExportMenu
      name="days of the month"
      file={`spend-${shown.now.from.slice(0, 7)}`}
      table={table}
      many={rows.length}
      columns={columns.length}
      says="one per day and currency"
      save={(file, content, type) => host.saveFile(file, content, type)}
    />
  );
}
