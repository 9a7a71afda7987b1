//! The conditions that notices are about; each kind is read from its own table.

mod anomalies;
mod approvals;
mod budgets;
mod digest;
mod findings;
mod stale;

use anomalies::anomalies;
use approvals::approvals;
use budgets::budgets;
use digest::digest;
use findings::findings;
use stale::stale;

use super::raise::ActiveCondition;
use analysis::words::{day, money, names};
use graphql::Refusal;
use store::Transaction;

/// All conditions that hold now. `rows` act for the tenant.
pub(crate) fn active_conditions(rows: &Transaction<'_>) -> Result<Vec<ActiveCondition>, Refusal> {
    let digest = digest(rows)?.into_iter().collect();
    Ok([budgets(rows)?, anomalies(rows)?, findings(rows)?, stale(rows)?, approvals(rows)?, digest].concat())
}

/// One day in µs.
const DAY: i64 = 86_400_000_000;

/// The day that contains a time, in days since 1970.
fn day_of(time: i64) -> i32 {
    i32::try_from(time.div_euclid(DAY)).unwrap_or(i32::MAX)
}
