import { createStore, toast } from '@/shared';
import { save } from './export';
import type { Export } from './export';

/** What can be exported of the view on screen; null while there is none. The buttons stand far from the rows. */
export const exports = createStore<{ table: () => Export; chart: () => Export } | null>(null);

function write(file: Export | undefined): void {
  if (!file) return;
  save(file);
  toast({ tone: 'ok', text: `Exported ${file.name}: ${file.says}` });
}

export function exportTable(): void {
  write(exports.get()?.table());
}

export function exportChart(): void {
  write(exports.get()?.chart());
}
