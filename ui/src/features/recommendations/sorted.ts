import { compare } from '@/shared';
import type { Sort } from '@/shared';
import type { Row } from './row';

const severities = ['Info', 'Low', 'Medium', 'High', 'Critical'];

/** How much a recommendation matters, as a number to sort by; null when it states none. */
export function weight(row: Row): number | null {
  return row.severity === null ? null : severities.indexOf(row.severity);
}

/** What each sortable column compares. */
export const sortValue: Record<string, (row: Row) => string | number | null> = {
  severity: weight,
  title: (row) => row.title,
  reason: (row) => row.reason,
  category: (row) => row.category,
  savings: (row) => row.savings,
  found: (row) => row.stored.created_at,
  status: (row) => row.status,
};

const numbers = new Set(['severity', 'savings']);

/** The rows in the order of the list, so that next and previous beside an open row go the way the list goes. */
export function sorted(rows: readonly Row[], sort: Sort): Row[] {
  return [...rows].sort((a, b) => {
    for (const { id, desc } of sort) {
      const value = sortValue[id];
      const [x, y] = [value?.(a) ?? null, value?.(b) ?? null];
      if (x === null || y === null) {
        if (x !== y) return x === null ? 1 : -1;
        continue;
      }
      const order = numbers.has(id) ? compare(x, y) : String(x).localeCompare(String(y), 'en', { numeric: true });
      if (order !== 0) return desc ? -order : order;
    }
    return 0;
  });
}
