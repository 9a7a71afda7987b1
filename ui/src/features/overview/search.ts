/** The page settings in the address. Unknown or invalid values are dropped, never an error. */
export interface OverviewSearch {
  /** "2024-09"; without it the latest month that has costs. */
  month?: string;
  /** The currency of chart and tables, when the month has several. */
  currency?: string;
  /** The chart mode: the running total if missing. */
  chart?: 'daily';
}

export function overviewSearch(search: Record<string, unknown>): OverviewSearch {
  const { month, currency, chart } = search;
  return {
    ...(typeof month === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? { month } : {}),
    ...(typeof currency === 'string' && currency !== '' ? { currency } : {}),
    ...(chart === 'daily' ? { chart } : {}),
  };
}
