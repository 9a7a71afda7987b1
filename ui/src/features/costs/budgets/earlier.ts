import { addDays, addMonths, isZero } from '@/shared';
import type { Day } from '@/shared';
import type { Budget, PastBudget } from './queries';

/** The id of no budget. */
export const nobody = '00000000-0000-0000-0000-000000000000';

/** How many periods before the running one are shown, six at most, and how many months each has. */
const shown = { month: [6, 1], quarter: [4, 3], year: [2, 12] } as const;

/** The last days of the earlier periods, the newest first. Funding is not periodic and has none. */
export function endsBefore({ period, from }: Pick<Budget, 'period' | 'from'>): Day[] {
  if (period === null) return [];
  const [count, months] = shown[period];
  return Array.from({ length: count }, (_, back) => addDays(addMonths(from, -months * back), -1));
}

/** Billed cost of these periods, the newest first. Periods before the first one with costs are dropped, because no bill covers them. */
export function pastOf(ends: readonly Day[], answers: readonly (readonly PastBudget[] | undefined)[]): PastBudget[] {
  const past = ends.flatMap((end, place) =>
    (answers[place] ?? []).filter(({ until, spent }) => until === end && spent !== null),
  );
  return past.slice(0, past.findLastIndex(({ spent }) => !isZero(spent ?? '0')) + 1);
}
