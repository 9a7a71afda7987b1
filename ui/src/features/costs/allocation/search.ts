/** What the page shows and which rule is open beside it. What is left out is at its default. */
export interface AllocationSearch {
  /** The month, such as 2026-11; the last one with costs when left out. */
  month?: string;
  /** The rule that is open; `new` for one that is being added. */
  id?: string;
  /** The virtual tag that is open; `new` for one that is being added. */
  tag?: string;
  /** Spellings of a key, separated by commas, that a new virtual tag begins with. */
  keys?: string;
}

/** Unknown or broken values are left out, never an error. */
export function allocationSearch(search: Record<string, unknown>): AllocationSearch {
  const { month, id, tag, keys } = search;
  return {
    ...(typeof month === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? { month } : {}),
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    ...(typeof tag === 'string' && tag !== '' ? { tag } : {}),
    ...(typeof keys === 'string' && keys !== '' ? { keys } : {}),
  };
}
