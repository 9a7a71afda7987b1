//! Hourly costs, for bills whose charges have hours.

use super::HOUR;
use super::bill::{NO_SERVICE, NamedKey, Usage, amount};
use crate::kit::uuid;
use analysis::anomalies::{HOUR_HISTORY_DAYS, HourlyCost, JUDGED_HOUR_DAYS};
use catalogue::parse_timestamp;
use graphql::Refusal;
use serde_json::Value as Json;

/// Only the newest days are checked for hourly charges first, because most bills have none.
const TRIED_DAYS: i32 = 3;

/// The hourly cost of every service of every account over the last days. Empty if the newest charges all cover whole days.
pub(super) fn hourly(usage: &Usage<'_>, newest: i32) -> Result<Vec<HourlyCost>, Refusal> {
    let days = |count: i32| newest + 1 - count..newest + 1;
    let tried =
        usage.groups(vec![("hour", usage.hour()?)], Vec::new(), vec![usage.during(days(TRIED_DAYS))?])?;
    let is_midnight = |row: &Json| {
        row["hour"].as_str().is_none_or(|hour| hour.get(10..).is_some_and(|of_day| of_day == "T00:00:00"))
    };
    if tried.iter().all(is_midnight) {
        return Ok(Vec::new());
    }
    let keys: [NamedKey; 4] = [
        ("hour", usage.hour()?),
        ("account", usage.column("cloud_account")?),
        ("service", usage.service()?),
        ("currency", usage.column("unit")?),
    ];
    usage.costs(days(JUDGED_HOUR_DAYS + HOUR_HISTORY_DAYS), &keys, None, hourly_cost)
}

fn hourly_cost(row: &Json) -> Option<HourlyCost> {
    let begin = parse_timestamp(row["hour"].as_str()?)?;
    Some(HourlyCost {
        hour: i32::try_from(begin.div_euclid(HOUR)).ok()?,
        account: uuid(row, "account")?,
        service: row["service"].as_str().unwrap_or(NO_SERVICE).to_owned(),
        currency: row["currency"].as_str()?.to_owned(),
        amount: amount(row)?,
    })
}
