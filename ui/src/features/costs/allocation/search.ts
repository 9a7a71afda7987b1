/** The month shown and the open rule. Missing values use the default. */
export interface AllocationSearch {
  /** The month, such as 2026-11; by default the last one with costs. */
  month?: string;
  /** The rule that is open; `new` for one that is being added. */
  id?: string;
  /** The virtual tag that is open; `new` for one that is being added. */
  tag?: string;
  /** Spellings of a key, separated by commas, for a new virtual tag. */
  keys?: string;
}

/** Unknown or invalid values are dropped, never an error. */
export function allocationSearch(search: Record<string, unknown>): AllocationSearch {
  const { month, id, tag, keys } = search;
  return {
    ...(typeof month === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? { month } : {}),
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    ...(typeof tag === 'string' && tag !== '' ? { tag } : {}),
    ...(typeof keys === 'string' && keys !== '' ? { keys } : {}),
  };
}
