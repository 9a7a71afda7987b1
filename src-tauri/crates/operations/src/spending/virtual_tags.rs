//! Virtual tags: tags whose values are derived by rules. They are stored in `spends.tags` with the tags from files, under keys of their own, so
//! that every filter and grouping by tags works with them.

mod derived;
mod preview;
mod rule;

pub use derived::TaggedCharges;
pub(crate) use derived::refresh;

pub(super) use preview::preview;

use crate::kit::Look;
use catalogue::Value;
use graphql::Refusal;
use store::{AfterWriteHook, StoreError, Transaction};
use uuid::Uuid;

/// Refuses invalid virtual tags, regardless of who writes them.
pub(crate) const AFTER_WRITE: AfterWriteHook = AfterWriteHook {
    table: "virtual_tag",
    columns: &["key", "name", "rules", "other_value"],
    deletions: false,
    run: written,
};

fn written(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    let check = || -> Result<(), Refusal> {
        let ids = ids.iter().map(|id| Value::Uuid(*id)).collect();
        for row in Look::at(rows, rule::TABLE)?.one_of("id", ids)?.rows(&rule::COLUMNS)? {
            rule::check(&row)?;
        }
        Ok(())
    };
    check().map_err(Refusal::into_error)
}
