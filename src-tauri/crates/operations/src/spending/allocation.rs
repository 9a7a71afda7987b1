//! Allocation of shared cost by rules, and the data it depends on: tags and business numbers. Charges are read as daily sums and never changed.
//! Allocated amounts are stored in `allocated_cost`, one row per day, so that every amount has a receipt.

mod compute;
mod coverage;
mod derived;
mod preview;
mod rule;
mod unit;

pub(crate) use derived::refresh;

pub(super) use coverage::coverage;
pub(super) use preview::preview;
pub(super) use unit::unit_costs;

use crate::kit::Look;
use catalogue::Value;
use graphql::Refusal;
use store::{AfterWriteHook, StoreError, Transaction};
use uuid::Uuid;

/// Refuses rules that cannot be computed, regardless of who writes them.
pub(crate) const AFTER_WRITE: AfterWriteHook = AfterWriteHook {
    table: "allocation_rule",
    columns: &["name", "scope", "method", "target", "shares", "basis", "number_name"],
    deletions: false,
    run: written,
};

fn written(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    let check = || -> Result<(), Refusal> {
        let ids = ids.iter().map(|id| Value::Uuid(*id)).collect();
        for row in Look::at(rows, "allocation_rule")?.one_of("id", ids)?.rows(&rule::COLUMNS)? {
            rule::read(&row)?;
        }
        Ok(())
    };
    check().map_err(Refusal::into_error)
}
