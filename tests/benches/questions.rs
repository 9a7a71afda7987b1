//! The queries of ten million charges, for the server and for DuckDB.

use serde_json::Value;

/// How many times faster than DuckDB a query should be.
#[derive(Clone, Copy)]
pub enum Goal {
    Times(f64),
    None,
}

pub struct Question {
    pub what: String,
    /// GraphQL query for the server.
    pub ours: String,
    /// SQL query for DuckDB.
    pub theirs: String,
    /// The fields of our rows that DuckDB returns too, in its order.
    pub fields: Vec<&'static str>,
    pub goal: Goal,
}

/// Dimensions with segments: the name here, the name in DuckDB's table, and whether both have the same values.
const DECLARED: [(&str, &str, bool); 13] = [
    ("account_id", "account", false),
    ("resource_service_name", "service", true),
    ("resource_region", "region", true),
    ("exclude_aggregate", "exclude_aggregate", false),
    ("currency_type", "unit", true),
    ("provider_name", "provider", true),
    ("service_category", "service_category", true),
    ("charge_category", "charge_category", true),
    ("billing_account_id", "billing_account", true),
    ("import_id", "file", false),
    ("commitment_discount_status", "commitment_status", true),
    ("tenant_id", "1", false),
    ("resource_type", "kind", true),
];
const TAGS: [&str; 6] = ["team", "environment", "application", "owner", "project", "cost_center"];
const MONTH: &str = r#"{ name: "spend_date", expr: "date_unit", args: ["month"] }"#;
const DAYS: &str = r#"where: { spend_date: { _gte: "2025-11-01", _lt: "2025-12-01" } }"#;
const QUARTER: &str = r#"where: { spend_date: { _gte: "2025-07-01", _lt: "2025-10-01" } }"#;
const YEAR: &str = r#"where: { spend_date: { _gte: "2025-01-01", _lt: "2026-01-01" } }"#;

/// The four queries with goals come first.
pub fn all() -> Vec<Question> {
    let mut all = vec![
        question(
            "month × service × account",
            &["spend_date", "resource_service_name", "account_id", "spend_amount"],
            &format!("column_transformations: [{MONTH}], limit: 100000"),
            "SELECT date_trunc('month', date), service, sum(billed_cost) FROM spends GROUP BY 1, 2, account",
            &["spend_date", "resource_service_name", "spend_amount"],
            Goal::Times(3.0),
        ),
        question(
            "30 days, day × service",
            &["spend_date", "resource_service_name", "spend_amount"],
            &format!("{DAYS}, limit: 100000"),
            "SELECT date_trunc('day', date), service, sum(billed_cost) FROM spends \
             WHERE date >= '2025-11-01' AND date < '2025-12-01' GROUP BY 1, 2",
            &["spend_date", "resource_service_name", "spend_amount"],
            Goal::Times(3.0),
        ),
        question(
            "top 20 resources of a quarter",
            &["resource_id", "spend_amount"],
            &format!("{QUARTER}, order_by: [{{ column: \"spend_amount\", order: desc }}], limit: 20"),
            "SELECT sum(billed_cost) FROM spends WHERE date >= '2025-07-01' AND date < '2025-10-01' GROUP BY resource \
             ORDER BY 1 DESC LIMIT 20",
            &["spend_amount"],
            Goal::Times(3.0),
        ),
        tag("team", Goal::Times(1.0)),
    ];
    all.extend(TAGS[1..].iter().map(|name| tag(name, Goal::Times(1.0))));
    for (name, column, is_same) in DECLARED {
        let theirs = format!(
            "SELECT date_trunc('month', date), {}sum(billed_cost) FROM spends GROUP BY 1, {column}",
            { if is_same { format!("{column}, ") } else { String::new() } }
        );
        let fields: &[&'static str] =
            if is_same { &["spend_date", name, "spend_amount"] } else { &["spend_date", "spend_amount"] };
        all.push(question(
            &format!("month × {name}"),
            &["spend_date", name, "spend_amount"],
            &format!("column_transformations: [{MONTH}], limit: 100000"),
            &theirs,
            fields,
            Goal::Times(1.0),
        ));
    }
    all.push(question(
        "month × resource_id, the 100 largest",
        &["spend_date", "resource_id", "spend_amount"],
        &format!("column_transformations: [{MONTH}], order_by: [{{ column: \"spend_amount\", order: desc }}], limit: 100"),
        "SELECT date_trunc('month', date), sum(billed_cost) FROM spends GROUP BY 1, resource ORDER BY 2 DESC LIMIT 100",
        &["spend_date", "spend_amount"],
        Goal::Times(1.0),
    ));
    all.extend(pages());
    all
}

/// The queries of pages.
fn pages() -> Vec<Question> {
    vec![
        question(
            "Overview: first and last day",
            &["first_date", "last_date"],
            "",
            "SELECT min(date), max(date) FROM spends",
            &["first_date", "last_date"],
            Goal::None,
        ),
        question(
            "Overview: months and currencies",
            &["spend_date", "currency_type", "spend_count"],
            &format!("column_transformations: [{MONTH}]"),
            "SELECT date_trunc('month', date), unit, count(*) FROM spends GROUP BY 1, 2",
            &["spend_date", "currency_type", "spend_count"],
            Goal::None,
        ),
        question(
            "Overview: days of a month, two costs",
            &["spend_date", "currency_type", "billed_cost", "effective_cost"],
            DAYS,
            "SELECT date_trunc('day', date), unit, sum(billed_cost), sum(effective_cost) FROM spends \
             WHERE date >= '2025-11-01' AND date < '2025-12-01' GROUP BY 1, 2",
            &["spend_date", "currency_type", "billed_cost", "effective_cost"],
            Goal::None,
        ),
        question(
            "Overview: last bills of accounts",
            &["account_id", "last_date", "last_period_end"],
            "",
            "SELECT max(date), max(period_end) FROM spends GROUP BY account",
            &["last_date", "last_period_end"],
            Goal::None,
        ),
        question(
            "Explorer: a year of a team by service",
            &["resource_service_name", "billed_cost", "list_cost", "resource_count"],
            r#"where: { spend_date: { _gte: "2025-01-01", _lt: "2026-01-01" }, tags: { _contains: { team: "team-007" } } }"#,
            "SELECT service, sum(billed_cost), sum(list_cost), count(DISTINCT resource) FROM spends \
             WHERE date >= '2025-01-01' AND date < '2026-01-01' AND team = 'team-007' GROUP BY 1",
            &["resource_service_name", "billed_cost", "list_cost", "resource_count"],
            Goal::None,
        ),
        question(
            "Explorer: a year by kind of resource",
            &["resource_type", "billed_cost"],
            YEAR,
            "SELECT kind, sum(billed_cost) FROM spends WHERE date >= '2025-01-01' AND date < '2026-01-01' GROUP BY 1",
            &["resource_type", "billed_cost"],
            Goal::None,
        ),
    ]
}

fn tag(name: &str, goal: Goal) -> Question {
    question(
        &format!("month × {name} (a tag)"),
        &["spend_date", "tag", "spend_amount"],
        &format!(
            "column_transformations: [{MONTH}, {{ name: \"tag\", expr: \"json_key\", args: [\"{name}\"] }}], limit: 100000"
        ),
        &format!("SELECT date_trunc('month', date), {name}, sum(billed_cost) FROM spends GROUP BY 1, 2"),
        &["spend_date", "tag", "spend_amount"],
        goal,
    )
}

fn question(
    what: &str,
    columns: &[&str],
    arguments: &str,
    theirs: &str,
    fields: &[&'static str],
    goal: Goal,
) -> Question {
    let quoted: Vec<String> = columns.iter().map(|column| format!("\"{column}\"")).collect();
    let ours = format!(
        "{{ spend_groupings_v2(columns: [{}], {arguments}) {{ rows {{ {} }} }} }}",
        quoted.join(", "),
        columns.join(" ")
    );
    Question { what: what.to_owned(), ours, theirs: theirs.to_owned(), fields: fields.to_vec(), goal }
}

/// A value in a format both sides can produce: times as in DuckDB, numbers without trailing zeros.
pub fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => plain(text),
        other => plain(&other.to_string()),
    }
}

/// Like [`text`], for a text.
pub fn plain(text: &str) -> String {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'-');
    if is_number && text.contains('.') {
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    let is_time =
        text.len() >= 19 && text.as_bytes()[4] == b'-' && matches!(text.as_bytes()[10], b'T' | b' ');
    if is_time { text[..19].replace('T', " ") } else { text.to_owned() }
}
