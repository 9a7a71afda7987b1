import type { Json } from '@/api';
import { createStore, toast } from '@/shared';
import type { Format } from '@/shared';
import { save } from './export';
import type { Export } from './export';
import type { Content } from './reports/content';

/** The exports available for the current view; null while there is none. The export buttons are rendered far from the rows. */
export const exports = createStore<{
  table: () => Export;
  chart: () => Export;
  report: () => Promise<Content>;
} | null>(null);

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

/** The current view as a PDF, rendered by the service. */
export function exportPdf(): void {
  const content = exports.get()?.report();
  if (!content) return;
  // Loaded on the first PDF export: most visits do not need it.
  Promise.all([content, import('./reports/files')])
    .then(([content, { saveFiles }]) => saveFiles({ content: { ...content } as unknown as Json }, '.pdf'))
    .then((names) => toast({ tone: 'ok', text: `Exported ${names.join(', ')}` }))
    .catch((error: unknown) => {
      toast({ tone: 'bad', text: `Nothing was exported: ${(error as Error).message}` });
    });
}
