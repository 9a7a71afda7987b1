//! Costs by declared tags: by the virtual tags that people have made rules for (Costs → Allocation).

use super::bill::{Usage, daily_cost};
use analysis::anomalies::{HISTORY_DAYS, JUDGED_DAYS, TaggedCost};
use graphql::Refusal;
use model::tables::virtual_tag;
use model::{Read, row};
use store::Transaction;
use store::query::{Filter, Subject, Test};

/// Between the key of a tag and its value, in the name of an anomaly. No key has it.
const BETWEEN: &str = ": ";

row! { struct ActiveTag from virtual_tag { key } }

/// What every service of every account cost day by day with each value of each tag that is in use.
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

/// What an anomaly of a value of a tag is called: `team: web`.
pub(super) fn name_of(tag: &str, value: &str) -> String {
    format!("{tag}{BETWEEN}{value}")
}

/// The tag and the value of such a name.
pub(super) fn parts_of(name: &str) -> Option<(&str, &str)> {
    name.split_once(BETWEEN)
}
