//! Listings of anomalies: rows, their count, and the subjects they were found in.

use crate::kit::{Arguments, Key, Look, Part};
use catalogue::Value;
use graphql::{Call, Refusal};
use serde_json::{Value as Json, json};
use store::query::{Operator, Test};

/// The default limit of rows (semantics §5).
const DEFAULT_LIMIT: u64 = 1000;
/// The time span of `anomaly_v3`: 30 days in µs.
const MONTH_MICROS: i64 = 30 * 24 * 3600 * 1_000_000;

/// Field names of `where` and their columns.
const WHERE: [(&str, &str); 6] = [
    ("account_id", "account_id"),
    ("anomaly_type", "anomaly_type"),
    ("config_id", "config_id"),
    ("is_anomaly", "is_anomaly"),
    ("name", "name"),
    ("namespace", "namespace"),
];
/// Field names allowed in `order_by` in addition to those of `where`.
const ORDERED: [&str; 3] = ["evaluated_at", "created_at", "updated_at"];

fn look<'a>(call: &'a Call<'_>) -> Result<Look<'a>, Refusal> {
    let arguments = Arguments(call.arguments);
    let look = Look::at(call.rows, "anomaly")?.where_object(arguments.object("where"), &WHERE)?;
    let natural = |name: &str| arguments.whole(name).and_then(|value| u64::try_from(value).ok()).unwrap_or(0);
    let (wanted, most) = (natural("limit"), call.rows.most_rows());
    if wanted > most {
        return Err(Refusal::too_many_rows(wanted, most));
    }
    let limit = if wanted == 0 { DEFAULT_LIMIT.min(most) } else { wanted };
    Ok(look.limit(limit).offset(natural("offset")))
}

/// `anomaly_v2`
pub(super) fn rows(call: &Call<'_>) -> Result<Json, Refusal> {
    let mut look = look(call)?;
    let order = Arguments(call.arguments).value("order_by").and_then(Json::as_array);
    for entry in order.into_iter().flatten() {
        let name = entry["column"].as_str().unwrap_or_default();
        let is_known = ORDERED.contains(&name) || WHERE.iter().any(|(known, _)| *known == name);
        if !is_known {
            let known: Vec<&str> = WHERE.iter().map(|(known, _)| *known).chain(ORDERED).collect();
            return Err(Refusal::invalid(format!(
                "column '{name}' not found in table 'anomaly_v2'. It orders by: {}",
                known.join(", ")
            )));
        }
        let Some(direction) = entry["order"].as_str() else {
            return Err(Refusal::invalid(format!("order_by `{name}` needs an order: asc or desc")));
        };
        look = look.ordered_as(name, direction)?;
    }
    if order.is_none() {
        look = look.ordered("evaluated_at", true)?.ordered("id", false)?;
    }
    let columns = [
        "account_id",
        "anomaly_type",
        "config_id",
        "current_value",
        "evaluated_at",
        "id",
        "is_anomaly",
        "name",
        "namespace",
        "reference_value",
        "updated_at",
    ];
    let mut rows = look.rows(&columns)?;
    for row in &mut rows {
        // The API has these numbers and documents as text, and an empty text for no namespace.
        row["current_value"] = row["current_value"].to_string().into();
        row["reference_value"] = row["reference_value"].to_string().into();
        row["namespace"] = row["namespace"].as_str().unwrap_or_default().into();
        for time in ["evaluated_at", "updated_at"] {
            row[time] = zulu(&row[time]);
        }
    }
    Ok(json!({ "rows": rows }))
}

/// `anomaly_grouping_v2`
pub(super) fn count(call: &Call<'_>) -> Result<Json, Refusal> {
    Ok(json!({ "rows": [{ "count": look(call)?.count()? }] }))
}

/// `anomaly_v3`
pub(super) fn subjects(call: &Call<'_>) -> Result<Json, Refusal> {
    let since = Test::Compare(Operator::GreaterOrEqual, Value::Timestamp(call.now - MONTH_MICROS));
    let look = look(call)?.that("evaluated_at", since)?;
    let newest = Part::Largest("evaluated_at");
    let by = |name| Part::Key(Key::Column(name));
    let parts = [
        ("namespace", by("namespace")),
        ("name", by("name")),
        ("anomaly_type", by("anomaly_type")),
        ("account_id", by("account_id")),
        ("evaluated_at", newest),
        ("count", Part::Count),
        ("anomaly_count", Part::Count),
    ];
    let order = [(newest, true), (by("name"), false), (by("anomaly_type"), false), (by("account_id"), false)];
    let mut rows = look.grouped(&parts, &order)?;
    for row in &mut rows {
        row["namespace"] = row["namespace"].as_str().unwrap_or_default().into();
    }
    Ok(json!({ "rows": rows }))
}

/// A timestamp in RFC 3339 form, with `Z`.
fn zulu(time: &Json) -> Json {
    time.as_str().map_or(Json::Null, |time| format!("{time}Z").into())
}
