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
      'List cost less effective cost of use, as a share of the list cost; unused commitments count against it, purchases are left out',
    noRate: 'The bills state no list prices',
    negotiated: (amount: string) => `${amount} negotiated`,
    commitments: (amount: string) => `${amount} committed`,
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
    `${charges} with an effective cost of ${amount} are left out of the rate: their list cost is missing, zero or below the contracted cost, so it is no public price.`,
  ends: { over: 'Over', in: (days: string) => `in ${days}`, unknown: 'Not stated' },
  utilizationHelp: 'Effective cost of what was used, as a share of what was used and what was not',
  coverageHelp:
    'Contracted cost of the use it covers, as a share of the use of these services at standard or committed prices',
};
