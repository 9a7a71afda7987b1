import { createStore, toast } from '@/shared';
import type { Format } from '@/shared';
import { save } from './export';
import type { Export } from './export';

/** What can be exported of the view on screen; null while there is none. The buttons stand far from the rows. */
export const exports = createStore<{ table: () => Export; chart: () => Export } | null>(null);

async function write(file: Export | undefined, format: Format): Promise<void> {
  if (!file) return;
  try {
    await save(file, format);
    toast({ tone: 'ok', text: `Exported ${file.name}.${format}: ${file.says}` });
  } catch (error) {
    toast({ tone: 'bad', text: `Nothing was exported: ${(error as Error).message}` });
  }
}

export function exportTable(format: Format = 'csv'): void {
  void write(exports.get()?.table(), format);
}

export function exportChart(): void {
  void write(exports.get()?.chart(), 'csv');
}
