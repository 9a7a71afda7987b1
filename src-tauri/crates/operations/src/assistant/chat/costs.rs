//! Builds the GraphQL query for the most common question, costs. Users can open and rerun it.

use catalogue::parse_timestamp;
use graphql::Refusal;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// The groupings of costs, each with its column.
pub(super) const GROUPS: [(&str, &str); 6] = [
    ("service", "resource_service_name"),
    ("account", "account_id"),
    ("region", "resource_region"),
    ("category", "service_category"),
    ("day", "spend_date"),
    ("month", "spend_date"),
];
const DEFAULT_LIMIT: i64 = 30;

pub(super) fn title(arguments: &Value) -> String {
    let given = |name: &str| arguments[name].as_str().unwrap_or_default();
    let group = Some(given("group_by")).filter(|group| !group.is_empty()).unwrap_or("service");
    let mut title = format!("Costs by {}", group.chars().take(20).collect::<String>());
    if !given("service").is_empty() {
        title.push_str(&format!(", {}", given("service").chars().take(40).collect::<String>()));
    }
    match (given("from"), given("until")) {
        ("", "") => {}
        (from, "") => title.push_str(&format!(", from {}", day(from))),
        ("", until) => title.push_str(&format!(", before {}", day(until))),
        (from, until) => title.push_str(&format!(", {} to {}", day(from), day(until))),
    }
    title
}

fn day(text: &str) -> String {
    text.chars().take(10).collect()
}

/// The query with its variables.
pub(super) fn query(account: Uuid, arguments: &Value) -> Result<(String, Map<String, Value>), Refusal> {
    let group = arguments["group_by"].as_str().unwrap_or("service");
    let Some((_, column)) = GROUPS.iter().find(|(name, _)| *name == group) else {
        let known: Vec<&str> = GROUPS.iter().map(|(name, _)| *name).collect();
        return Err(Refusal::invalid(format!("group_by is {group:?}: expected one of {}", known.join(", "))));
    };
    let mut wheres = Map::new();
    if arguments["all_accounts"].as_bool() != Some(true) {
        wheres.insert("account_id".to_owned(), json!({ "_eq": account }));
    }
    if let Some(service) = arguments["service"].as_str().filter(|service| !service.trim().is_empty()) {
        wheres.insert("resource_service_name".to_owned(), json!({ "_eq": service }));
    }
    let mut dates = Map::new();
    for (name, operator) in [("from", "_gte"), ("until", "_lt")] {
        if let Some(text) = arguments[name].as_str().filter(|text| !text.trim().is_empty()) {
            let time = if text.contains('T') { text.to_owned() } else { format!("{text}T00:00:00Z") };
            if parse_timestamp(&time).is_none() {
                return Err(Refusal::invalid(format!(
                    "{name} is {text:?}: expected a day such as 2026-11-20"
                )));
            }
            dates.insert(operator.to_owned(), time.into());
        }
    }
    if !dates.is_empty() {
        wheres.insert("spend_date".to_owned(), Value::Object(dates));
    }
    // Charges that another row already includes are excluded from totals.
    let counts =
        json!([{ "exclude_aggregate": { "_is_null": true } }, { "exclude_aggregate": { "_eq": false } }]);
    wheres.insert("_or".to_owned(), counts);
    let limit = arguments["limit"].as_i64().unwrap_or(DEFAULT_LIMIT).clamp(1, 100);
    let is_time = *column == "spend_date";
    let transformation = match group {
        "day" | "month" => format!(
            "\n    column_transformations: [{{ name: \"spend_date\", expr: \"date_unit\", args: [\"{group}\"] }}]"
        ),
        _ => String::new(),
    };
    let order = if is_time {
        "{ column: \"spend_date\", order: asc }"
    } else {
        "{ column: \"spend_amount\", order: desc }"
    };
    let text = format!(
        "query Costs($where: SpendGroupingsWhereRequest) {{\n  spend_groupings_v2(\n    columns: [\"{column}\", \"currency_type\", \"spend_amount\", \"spend_count\"]\n    group_by: [\"{column}\", \"currency_type\"]{transformation}\n    where: $where\n    order_by: [{order}]\n    limit: {limit}\n  ) {{\n    rows {{\n      {column}\n      currency_type\n      spend_amount\n      spend_count\n    }}\n  }}\n}}"
    );
    Ok((text, Map::from_iter([("where".to_owned(), Value::Object(wheres))])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_that_is_none_is_refused_with_one_that_is() {
        let refused = query(Uuid::nil(), &json!({ "group_by": "day", "from": "yesterday" })).unwrap_err();
        assert_eq!(refused.message, "from is \"yesterday\": expected a day such as 2026-11-20");
    }

    #[test]
    fn what_another_row_counts_already_is_not_added_up() {
        let (_, variables) = query(Uuid::nil(), &json!({ "group_by": "service" })).unwrap();
        assert_eq!(
            variables["where"]["_or"],
            json!([{ "exclude_aggregate": { "_is_null": true } }, { "exclude_aggregate": { "_eq": false } }])
        );
    }

    #[test]
    fn what_a_model_writes_into_a_service_stays_a_value() {
        let hostile = "x\"}) { } mutation { delete_spends(where: {}) { affected_rows } } #";
        let (text, variables) =
            query(Uuid::nil(), &json!({ "group_by": "service", "service": hostile })).unwrap();
        assert!(!text.contains("mutation"));
        assert_eq!(variables["where"]["resource_service_name"]["_eq"], hostile);
    }
}
