//! Shared cost split by rules, and what a split rests on: tags and numbers of the business. Charges are read as sums by day and never changed; what falls
//! to whom stands in `allocated_cost`, a row a day, so that every split opens its receipt.

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

/// No rule is stored that cannot be worked out, whoever writes it.
pub(crate) const FOLLOW: AfterWriteHook = AfterWriteHook {
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
