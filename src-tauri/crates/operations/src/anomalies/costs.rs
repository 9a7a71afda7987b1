//! Cost anomalies: bills are read by day, judged by `analysis::anomalies`, and the findings are stored in `anomaly`.

mod analyse;
mod bill;
mod drivers;
mod feedback;
mod hours;
pub(super) mod kept;
mod row;
mod tags;

pub use analyse::{Outcome, refresh, refresh_costs, run};
pub use kept::Changes;
pub use row::Row;
pub(super) use row::{StoredAnomaly, WatchLabel};

pub(super) use analyse::operation as analyse;
pub(crate) use analyse::read_ahead;
pub(super) use drivers::operation as drivers;
pub(super) use feedback::operation as feedback;

use catalogue::Decimal;
use graphql::Refusal;
use serde_json::Value as Json;

/// One day in µs.
pub(super) const DAY: i64 = 86_400_000_000;
/// One hour in µs.
pub(super) const HOUR: i64 = 3_600_000_000;

/// Values of the column `scope`: one service of an account, one value of a declared tag, or all accounts of the tenant.
pub(super) const SERVICE: &str = "service";
pub(super) const TAG: &str = "tag";
pub(super) const TOTAL: &str = "total";

/// An exact decimal as a JSON number.
pub(super) fn number(decimal: Decimal) -> Result<Json, Refusal> {
    let number = decimal.to_text().as_str().parse().map(Json::Number);
    number.map_err(|_| Refusal::new("unexpected", format!("{decimal} is no number of JSON")))
}

/// Parses a day into days since 1970. A time of day after the date is ignored.
pub(super) fn day(name: &str, text: &str) -> Result<i32, Refusal> {
    let wrong = || Refusal::invalid(format!("`{name}` is \"{text}\": expected a day such as 2026-06-18"));
    let date = text.get(..10).filter(|_| text.len() == 10 || catalogue::parse_timestamp(text).is_some());
    date.and_then(catalogue::parse_date).ok_or_else(wrong)
}
