//! Estimates how many rows a request reads, before any of its statements runs.
//!
//! Two kinds of short requests cause much work: fields that scan whole tables repeatedly (aliases; lists and aggregates for every row of a
//! list; many conditions, orders and aggregates), and conditions and orders that read related rows for every row. Each kind has its own
//! limit in [`Bounds`]. A plan stores its estimate as formulas over table sizes, therefore a plan made while a table was small is checked
//! against its current size.

mod number;
mod read;
mod size_cache;
mod sizes;
mod weight;

use crate::StoreError;
use crate::bounds::Bounds;
use catalogue::{TableId, Value};
use number::Number;
pub(crate) use read::{estimate_changes, estimate_queries};
pub(crate) use size_cache::SizeCache;
pub(crate) use sizes::Sizes;
use std::collections::BTreeSet;

/// Minimum number of rows a table counts in the limit for fields: repeated scans of small tables are cheap.
const SMALL: u64 = 10_000;
/// How often conditions may scan each of their tables: once for the rows they apply to, once for the related rows.
const WALKS: u64 = 2;

/// The rows that one request reads.
#[derive(Debug, Default)]
pub(crate) struct CostEstimate {
    /// Reads by fields.
    fields: Vec<TableRead>,
    /// Reads by conditions and orders on related rows, including the rows they apply to.
    conditions: Vec<TableRead>,
    /// Whether each field scans its table at most once.
    are_passes: bool,
}

#[derive(Debug)]
struct TableRead {
    table: TableId,
    rows: Number,
    /// The cost of one row, in eighths of the cost of reading a row.
    eighths: u64,
}

/// The cost of reading a row, in eighths.
const READ: u64 = 8;
/// The cost of a row found by its key, together with many others of the same small table.
const BY_KEY: u64 = 1;

impl CostEstimate {
    /// Approximate memory use in bytes.
    pub(crate) fn weight(&self) -> usize {
        (self.fields.len() + self.conditions.len()) * (size_of::<TableRead>() + 2 * size_of::<Number>())
    }

    /// Refuses an estimate beyond the limits. `parameters` holds the values of the plan's parameters.
    pub(crate) fn check(
        &self,
        sizes: &Sizes<'_>,
        parameters: &[Value],
        bounds: Bounds,
    ) -> Result<(), StoreError> {
        let is_little = self.are_passes && self.fields.len() as u64 <= bounds.passes;
        if !is_little {
            let (found, once) = sum(&self.fields, sizes, parameters)?;
            let allowed = once.saturating_add(SMALL).saturating_mul(bounds.passes);
            if found > allowed {
                return Err(StoreError::TooManyPasses { limit: bounds.passes, found: rounded(found) });
            }
        }
        if !self.conditions.is_empty() {
            let (found, once) = sum(&self.conditions, sizes, parameters)?;
            let allowed = once.saturating_mul(WALKS).saturating_add(bounds.related_rows);
            if found > allowed {
                let beyond = found.saturating_sub(once.saturating_mul(WALKS));
                return Err(StoreError::TooManyRelated {
                    limit: bounds.related_rows,
                    found: rounded(beyond),
                });
            }
        }
        Ok(())
    }
}

/// The weighted rows of all reads, and the rows of their tables, each table counted once.
fn sum(reads: &[TableRead], sizes: &Sizes<'_>, parameters: &[Value]) -> Result<(u64, u64), StoreError> {
    let (mut found, mut tables) = (0u64, BTreeSet::new());
    for read in reads {
        let rows = read.rows.value(sizes, parameters)?;
        found = found.saturating_add(rows.saturating_mul(read.eighths) / READ);
        tables.insert(read.table);
    }
    let mut once = 0u64;
    for table in tables {
        once = once.saturating_add(sizes.rows(table)?);
    }
    Ok((found, once))
}

/// An estimate rounded up to one significant digit: more digits would suggest an exact count, and tables contain rows of other tenants.
fn rounded(rows: u64) -> u64 {
    let unit = 10u64.saturating_pow(rows.checked_ilog10().unwrap_or(0));
    rows.div_ceil(unit).saturating_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn an_estimate_is_told_with_one_digit() {
        for (rows, told) in [(0, 0), (7, 7), (10, 10), (11, 20), (650_000, 700_000), (u64::MAX, u64::MAX)] {
            assert_eq!(rounded(rows), told);
        }
    }
}
