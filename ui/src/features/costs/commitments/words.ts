/** Every text of Costs → Commitments. */
export const words = {
  title: 'Commitments',
  crumb: 'Costs',
  failed: 'Commitments could not be read',
  table: 'Commitments',
  none: 'No commitments in these days',
  noneHelp:
    'Reservations and savings plans appear when a bill names them (CommitmentDiscountId of FOCUS). Other days may have some.',
  columns: {
    name: 'Commitment',
    type: 'Type',
    utilization: 'Used',
    coverage: 'Covers',
    used: 'Used cost',
    unused: 'Unused cost',
    expires: 'Ends',
  },
  tiles: {
    rate: 'Effective savings rate',
    rateHelp:
      'List cost less effective cost of use, as a share of the list cost; unused commitments count against it, purchases are left out.',
    noRate: 'The bills state no list prices',
    /** What the rate follows from: list cost less effective cost, of the list cost. */
    rateOf: (list: string, effective: string) => `list ${list}, effective ${effective}`,
    rateFrom: (negotiated: string, committed: string) =>
      `${negotiated} less by negotiated prices, ${committed} less by commitments where they were used.`,
    utilization: 'Commitments used',
    noUse: 'No commitment was used',
    unused: 'Unused commitments',
    unusedHelp: 'Effective cost of commitments without use',
    ofDays: (days: string) => `in ${days}`,
    coverage: 'Use covered',
    coverageHelp:
      'Contracted cost of covered use, as a share of all use at standard or committed prices; spot prices are left out',
  },
  leftOut: (charges: string, amount: string) =>
    `${charges} with an effective cost of ${amount} are left out of the rate: their list cost is missing, zero or below the contracted cost, so it is not a public price.`,
  ends: { over: 'Over', in: (days: string) => `in ${days}`, unknown: 'Not stated' },
  utilizationHelp: 'Effective cost of what was used, as a share of what was used and what was not',
  coverageHelp:
    'Contracted cost of the use it covers, as a share of the use of these services at standard or committed prices',
  propose: {
    title: 'Before you buy',
    help: 'What a commitment would have saved over the last 30 and 60 days, on use that none covers yet, at contract prices without spot. A bill does not say whether a provider sells a commitment for a service.',
    failed: 'The proposals could not be calculated',
    service: 'For',
    every: 'All services',
    discount: 'Discount, %',
    asInBill: 'as in the bill',
    discountHelp: 'From your offer. If empty, the discount of covered use in the bill',
    discountWrong: 'Enter a percentage above 0 and below 100, or leave it empty',
    term: 'Term',
    terms: { '12': '1 year', '36': '3 years' },
    upfront: 'Paid upfront',
    payments: { none: 'Nothing', half: 'Half', all: 'All' },
    hourly: (currency: string) => `Your amount an hour, ${currency}`,
    hourlyHelp: 'Compared with the recommended one',
    hourlyWrong: 'Enter an amount above 0, or leave it empty',
    work: 'Calculate',
    none: 'No use to commit to',
    noneHelp: 'The bill has no use at standard prices in these days that is not covered yet.',
    own: 'Your amount',
    best: 'Recommended',
    whole: 'All families',
    days: (days: number) => `${String(days)} days`,
    columns: {
      name: 'Service',
      days: 'Last',
      eligible: 'Cost without',
      hourly: 'Commit an hour',
      saving: 'Saves',
      used: 'Used',
      needed: 'Needs',
      back: 'Paid back',
    },
    noAmount: 'No amount saves',
    noDiscount: 'Enter a discount',
    neededHelp: 'Used by more than this share, a commitment saves: 1 less the discount',
    discountOf: (percent: string, from: string | null) =>
      from === 'bill' ? `${percent} less, as in the bill` : `${percent} less`,
    spread: (part: string) =>
      `${part} of it is billed by the hour; the rest is spread evenly over its days, so this is the most it can save`,
    never: 'Not within the term',
    backHelp: (term: string, upfront: string, earned: string) =>
      `${term} over the term, ${upfront} of it upfront. After ${earned} it has paid for itself, even if usage stops.`,
    notEarned: 'no day of the term',
  },
};
