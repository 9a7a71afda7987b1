import type { ImportReport } from '@/api';
import type { Work } from './work';

/** Files of one drop, or parts of one delivery. */
export interface Group {
  key: string;
  works: Work[];
}

/** The files grouped by drop or delivery, in the order of the first file of each. */
export function groups(all: readonly Work[]): Group[] {
  const found = new Map<string, Work[]>();
  for (const work of all) {
    const key = work.drop ?? work.report?.delivery?.id ?? `batch ${String(work.batch)}`;
    found.set(key, [...(found.get(key) ?? []), work]);
  }
  return [...found].map(([key, works]) => ({ key, works }));
}

/** The reports of files that have ended, with the ids of their imports. */
export function reportsOf(works: readonly Work[]): { id: string; report: ImportReport }[] {
  return works.flatMap(({ id, phase, report }) => (phase === 'ended' && id && report ? [{ id, report }] : []));
}

/** One report per delivery, because a delivery is decided once. */
export function perDelivery<One extends { id: string; report: ImportReport }>(reports: readonly One[]): One[] {
  const first = new Map<string, One>();
  for (const one of reports) {
    const key = one.report.delivery?.id ?? one.id;
    if (!first.has(key)) first.set(key, one);
  }
  return [...first.values()];
}
