/**
 * The condition of every sum of charges: those that another row counts already stand in no total (`exclude_aggregate`), such as what OpenCost
 * tells of machines whose bill is stored.
 */
export const inTotals = {
  _or: [{ exclude_aggregate: { _is_null: true } }, { exclude_aggregate: { _eq: false } }],
};
