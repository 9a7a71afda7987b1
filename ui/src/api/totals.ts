/**
 * The condition of every sum of charges: rows counted by another row are excluded (`exclude_aggregate`), such as OpenCost costs of machines whose
 * bill is stored.
 */
export const inTotals = {
  _or: [{ exclude_aggregate: { _is_null: true } }, { exclude_aggregate: { _eq: false } }],
};
