//! How many rows a request has the database look at, by estimate, before any of its statements runs.
//!
//! Two things make much work of a few words: fields that go through whole tables again and again (aliases; lists and figures
//! of every row of a list; conditions, orders and figures without number), and conditions and orders that look through related rows for every row they are about. Each has a
//! bound of its own in [`Bounds`]. A plan keeps its looks as formulas over the sizes of tables, so that a plan made while a table
//! was small is bound by what it has become.

mod number;
mod read;
mod remembered;
mod sizes;
mod weight;

use crate::StoreError;
use crate::bounds::Bounds;
use catalogue::{TableId, Value};
use number::Number;
pub(crate) use read::{of_changes, of_queries};
pub(crate) use remembered::SizeMemory;
pub(crate) use sizes::Sizes;
use std::collections::BTreeSet;

/// Tables that fields go through count as so many rows at least: many looks at little are little.
const SMALL: u64 = 10_000;
/// How often conditions may walk through each of their tables: once for the rows they are about, once for those they look through.
const WALKS: u64 = 2;

/// What one request looks at.
#[derive(Debug, Default)]
pub(crate) struct CostEstimate {
    /// By fields.
    fields: Vec<Look>,
    /// By conditions and orders on related rows, the rows they are about included.
    conditions: Vec<Look>,
    /// No field looks at more than its table once.
    are_passes: bool,
}

#[derive(Debug)]
struct Look {
    table: TableId,
    rows: Number,
    /// What one of the rows costs, in eighths of reading it and doing nothing.
    eighths: u64,
}

/// What a row costs that is read, in eighths.
const READ: u64 = 8;
/// What a row costs that is found by its key, with many others of the same small table.
const BY_KEY: u64 = 1;

impl CostEstimate {
    /// About how much memory they take, in bytes.
    pub(crate) fn weight(&self) -> usize {
        (self.fields.len() + self.conditions.len()) * (size_of::<Look>() + 2 * size_of::<Number>())
    }

    /// Refuses what is beyond the bounds. `slots` holds what the slots of the plan are filled with.
    pub(crate) fn check(&self, sizes: &Sizes<'_>, slots: &[Value], bounds: Bounds) -> Result<(), StoreError> {
        let is_little = self.are_passes && self.fields.len() as u64 <= bounds.passes;
        if !is_little {
            let (found, once) = sum(&self.fields, sizes, slots)?;
            let allowed = once.saturating_add(SMALL).saturating_mul(bounds.passes);
            if found > allowed {
                return Err(StoreError::TooManyPasses { limit: bounds.passes, found: rounded(found) });
            }
        }
        if !self.conditions.is_empty() {
            let (found, once) = sum(&self.conditions, sizes, slots)?;
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

/// The rows of all looks, and those of their tables, each table once.
fn sum(looks: &[Look], sizes: &Sizes<'_>, slots: &[Value]) -> Result<(u64, u64), StoreError> {
    let (mut found, mut tables) = (0u64, BTreeSet::new());
    for look in looks {
        let rows = look.rows.value(sizes, slots)?;
        found = found.saturating_add(rows.saturating_mul(look.eighths) / READ);
        tables.insert(look.table);
    }
    let mut once = 0u64;
    for table in tables {
        once = once.saturating_add(sizes.rows(table)?);
    }
    Ok((found, once))
}

/// An estimate with one digit that counts: others would pretend to be counted, and tables hold the rows of other tenants, too.
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
