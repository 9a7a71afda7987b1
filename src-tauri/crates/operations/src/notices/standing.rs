//! What notices are about, each read from its own rows.

mod anomalies;
mod approvals;
mod budgets;
mod digest;
mod findings;
mod stale;

pub(super) use anomalies::anomalies;
pub(super) use approvals::approvals;
pub(super) use budgets::budgets;
pub(super) use digest::digest;
pub(super) use findings::findings;
pub(super) use stale::stale;

use analysis::words::{day, money, names};

/// µs of a day.
const DAY: i64 = 86_400_000_000;

/// The day of a time, in days since 1970.
fn day_of(time: i64) -> i32 {
    i32::try_from(time.div_euclid(DAY)).unwrap_or(i32::MAX)
}
