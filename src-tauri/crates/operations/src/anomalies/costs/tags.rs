//! Costs by declared tags: the virtual tags that users define rules for (Costs → Allocation).

use super::bill::{Usage, daily_cost};
use analysis::anomalies::{HISTORY_DAYS, JUDGED_DAYS, TaggedCost};
use graphql::Refusal;
use model::tables::virtual_tag;
use model::{Read, row};
use store::Transaction;
use store::query::{Filter, Subject, Test};

/// Separates the tag key from its value in the name of an anomaly. No key contains it.
const BETWEEN: &str = ": ";

row! { struct ActiveTag from virtual_tag { key } }

/// The daily cost of every service of every account for each value of each active tag.
pub(super) fn tagged(
    rows: &Transaction<'_>,
    usage: &Usage<'_>,
    newest: i32,
) -> Result<Vec<TaggedCost>, Refusal> {
    let declared = rows.query::<ActiveTag>().filter(virtual_tag::is_active.eq(true));
    let mut costs = Vec::new();
    for ActiveTag { key: tag } in declared.order(virtual_tag::key.asc()).rows()? {
        let key = usage.tag(&tag)?;
        let mut keys = usage.daily_keys()?;
        keys.push(("value", key.clone()));
        let has_value =
            Filter::Not(Box::new(Filter::Test { subject: Subject::Key(key), test: Test::IsNull }));
        let days = newest - JUDGED_DAYS - HISTORY_DAYS..newest + 1;
        costs.extend(usage.costs(days, &keys, Some(&has_value), |row| {
            let value = row["value"].as_str()?.to_owned();
            Some(TaggedCost { tag: tag.clone(), value, cost: daily_cost(row)? })
        })?);
    }
    Ok(costs)
}

/// The name of an anomaly of a tag value: `team: web`.
pub(super) fn name_of(tag: &str, value: &str) -> String {
    format!("{tag}{BETWEEN}{value}")
}

/// Splits such a name into tag and value.
pub(super) fn parts_of(name: &str) -> Option<(&str, &str)> {
    name.split_once(BETWEEN)
}
