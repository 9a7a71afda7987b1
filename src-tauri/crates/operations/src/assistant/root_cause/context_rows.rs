//! Reads rows around an event: changes, log lines, spend and the current states.

use super::dumps::between_dumps;
use super::material::{HOUR, MAX_ROWS, MINUTE, events_between, is_change, start, subject, text, uuid_of};
use crate::kit::in_account::object;
use crate::kit::{Key, Look, Part};
use analysis::{Change, Event, Line, Occurrence, Spend, State, Subject};
use catalogue::{Decimal, Value as Cell, ValueRef, parse_timestamp};
use graphql::Refusal;
use model::tables::{cloud_resourses, k8s_workloads, logs};
use model::{Read as _, Timestamp, row};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use store::query::{Filter, Operator, Test};
use store::{Transaction, ge, le, ne};
use uuid::Uuid;

/// How long before an event changes are considered, µs.
pub(super) const CHANGES_BEFORE: i64 = 6 * HOUR;
/// How long before and after the event log lines are read, µs.
const LOGS_BEFORE: i64 = 6 * HOUR;
const LOGS_AFTER: i64 = 10 * MINUTE;
const MAX_LINES: usize = 20_000;
const SPEND_DAYS: i64 = 15;

row! { struct PersonName from users { display_name } }
row! { struct LogLine from logs { id, timestamp, severity, message, labels } }
row! {
    struct WorkloadState from k8s_workloads { cloud_resource_id, is_active, ready_pods, total_pods, status }
}
row! { struct ResourceState from cloud_resourses { name, status, is_active } }

/// Whether a table belongs to the assistant, events or users: changes in it do not cause problems in the tenant's systems.
fn is_ours(table: &str) -> bool {
    ["llm_", "event", "ticket", "user", "tenant", "audit", "ui_"].iter().any(|begin| table.starts_with(begin))
}

/// Releases and configuration changes among the events, and changes from the audit trail.
pub(super) fn changes(
    rows: &Transaction<'_>,
    accounts: &[Uuid],
    asked: &Event,
) -> Result<Vec<Change>, Refusal> {
    let from = asked.starts_at - CHANGES_BEFORE;
    let mut found = between_dumps(rows, accounts, asked)?;
    for event in
        events_between(rows, accounts, from, asked.starts_at)?.iter().filter(|event| is_change(event))
    {
        if uuid_of(event, "id") == Some(asked.id) {
            continue;
        }
        found.push(Change {
            id: text(event, "id").to_owned(),
            table: "events".to_owned(),
            at: start(event),
            not_before: None,
            what: text(event, "title").to_owned(),
            by: text(event, "principal").to_owned(),
            subject: subject(event),
            is_deployment: true,
        });
    }
    let columns =
        ["id", "created_at", "table_name", "change", "operation", "before", "after", "row_key", "user_id"];
    let near = [
        ge("created_at", ValueRef::Timestamp(from)),
        le("created_at", ValueRef::Timestamp(asked.starts_at)),
        ne("table_name", "events"),
    ];
    rows.for_each("audit_trail", &columns, &near, |row| {
        let row = object(&columns, row);
        found.extend(change_of_audit_row(&row, accounts));
        Ok::<_, Refusal>(())
    })?;
    found.sort_by(|one, other| (other.at, &one.id).cmp(&(one.at, &other.id)));
    found.truncate(usize::try_from(MAX_ROWS).unwrap_or(usize::MAX));
    for change in &mut found {
        change.by = name_of(rows, &change.by)?;
    }
    Ok(found)
}

/// Converts a row of the audit trail to a change of something in these accounts.
fn change_of_audit_row(row: &Map<String, Value>, accounts: &[Uuid]) -> Option<Change> {
    let table = text(row, "table_name");
    if is_ours(table) {
        return None;
    }
    let cell = |column: &str| {
        ["after", "before", "row_key"].iter().find_map(|place| row.get(*place)?.get(column)?.as_str())
    };
    let of =
        ["cloud_account_id", "account_id", "account", "cloud_account"].iter().find_map(|column| cell(column));
    if of.is_some_and(|of| !accounts.iter().any(|account| account.to_string() == of)) {
        return None;
    }
    let word =
        |columns: &[&str]| columns.iter().find_map(|column| cell(column)).unwrap_or_default().to_owned();
    let name = word(&["name", "workload_name", "resource_name", "alert"]);
    let resource = word(&["cloud_resource_id", "resource_id", "cloud_resourse_id"]);
    let what = match text(row, "change") {
        "insert" => "added",
        "delete" => "removed",
        _ => "changed",
    };
    let named = if name.is_empty() { table.to_owned() } else { format!("{name} ({table})") };
    Some(Change {
        id: text(row, "id").to_owned(),
        table: "audit_trail".to_owned(),
        at: super::material::time(row, "created_at")?,
        not_before: None,
        what: format!("{named} {what}"),
        by: text(row, "user_id").to_owned(),
        subject: Subject {
            resource: Uuid::try_parse(&resource).ok(),
            namespace: word(&["namespace"]),
            name,
            ..Subject::default()
        },
        is_deployment: matches!(table, "k8s_workloads" | "recommendation_resolution" | "auto_pilot_task"),
    })
}

/// The display name if `by` is the id of a user whom the reader may see; otherwise `by` or an empty text.
fn name_of(rows: &Transaction<'_>, by: &str) -> Result<String, Refusal> {
    let Ok(person) = Uuid::try_parse(by) else { return Ok(by.to_owned()) };
    Ok(rows.find::<PersonName>(person)?.map(|person| person.display_name).unwrap_or_default())
}

/// The latest earlier events with the same fingerprint.
pub(super) fn series(
    rows: &Transaction<'_>,
    account: Uuid,
    asked: &Event,
    fingerprint: &str,
) -> Result<Vec<Occurrence>, Refusal> {
    if fingerprint.is_empty() {
        return Ok(Vec::new());
    }
    let earlier = Test::Compare(Operator::Less, Cell::Timestamp(asked.starts_at));
    let look =
        Look::at(rows, "events")?.with("cloud_account_id", account)?.with("fingerprint", fingerprint)?;
    let look =
        look.that("starts_at", earlier)?.ordered("starts_at", true)?.ordered("id", false)?.limit(MAX_ROWS);
    let found = look.rows(&["id", "starts_at"])?;
    let occurrence = |row: &Value| {
        let row = row.as_object()?;
        Some(Occurrence { id: uuid_of(row, "id")?, starts_at: super::material::time(row, "starts_at")? })
    };
    Ok(found.iter().filter_map(occurrence).collect())
}

/// The latest log lines about the subject around the event.
pub(super) fn logs(rows: &Transaction<'_>, accounts: &[Uuid], asked: &Event) -> Result<Vec<Line>, Refusal> {
    let near = rows
        .query::<LogLine>()
        .filter(logs::account_id.one_of(accounts.iter().copied()))
        .filter(logs::timestamp.ge(Timestamp(asked.starts_at - LOGS_BEFORE)))
        .filter(logs::timestamp.le(Timestamp(asked.starts_at + LOGS_AFTER)));
    let mut lines = Vec::new();
    near.for_each(|line| {
        let labels: Map<String, Value> = line.labels.parse().unwrap_or_default();
        if lines.len() < MAX_LINES && is_of(&labels, &asked.subject) {
            lines.push(Line {
                id: line.id.uuid(),
                at: line.timestamp.micros(),
                severity: line.severity,
                message: line.message,
            });
        }
        Ok::<_, Refusal>(())
    })?;
    Ok(lines)
}

/// Whether lines with these labels belong to the subject: to its namespace, and to its workload if they name one.
fn is_of(labels: &Map<String, Value>, subject: &Subject) -> bool {
    let label =
        |names: &[&str]| names.iter().find_map(|name| labels.get(*name)?.as_str()).unwrap_or_default();
    let namespace = label(&["namespace", "kubernetes_namespace_name", "k8s_namespace"]);
    if !namespace.is_empty() && !subject.namespace.is_empty() && namespace != subject.namespace {
        return false;
    }
    let workload = label(&["app", "workload", "deployment", "service", "container"]);
    let pod = label(&["pod", "pod_name"]);
    let own = subject.workload();
    match (workload, pod) {
        ("", "") => !namespace.is_empty(),
        _ => {
            !own.is_empty() && (workload == own || pod == subject.name || pod.starts_with(&format!("{own}-")))
        }
    }
}

/// The last known states of the workload and the resource that the event is about.
pub(super) fn states(
    rows: &Transaction<'_>,
    accounts: &[Uuid],
    subject: &Subject,
) -> Result<Vec<State>, Refusal> {
    let mut states = Vec::new();
    let own = subject.workload();
    if !own.is_empty() {
        let namespace = Some(subject.namespace.as_str()).filter(|namespace| !namespace.is_empty());
        let workloads = rows
            .query::<WorkloadState>()
            .filter(k8s_workloads::cloud_account_id.one_of(accounts.iter().copied()))
            .filter(k8s_workloads::name.eq(own))
            .filter_some(namespace.map(|namespace| k8s_workloads::namespace.eq(namespace)));
        states.extend(workloads.rows()?.into_iter().map(|row| State {
            id: row.cloud_resource_id.to_string(),
            table: "k8s_workloads".to_owned(),
            name: own.to_owned(),
            status: row.status.unwrap_or_default(),
            is_gone: !row.is_active,
            ready: Some((row.ready_pods, row.total_pods)),
        }));
    }
    if let Some(resource) = subject.resource {
        let found = rows
            .query::<ResourceState>()
            .filter(cloud_resourses::id.eq(resource))
            .filter(cloud_resourses::account.one_of(accounts.iter().copied()));
        states.extend(found.first()?.map(|row| State {
            id: resource.to_string(),
            table: "cloud_resourses".to_owned(),
            name: row.name.unwrap_or_else(|| "The resource".to_owned()),
            status: row.status.map(|status| status.to_string()).unwrap_or_default(),
            is_gone: row.is_active == Some(false),
            ready: None,
        }));
    }
    Ok(states)
}

/// Daily spend up to the day of the event, of its resource or otherwise its account, in the currency used on most days.
pub(super) fn spends(rows: &Transaction<'_>, account: Uuid, asked: &Event) -> Result<Vec<Spend>, Refusal> {
    const DAY: i64 = 24 * HOUR;
    let today = asked.starts_at.div_euclid(DAY) * DAY;
    let at = |operator, time| Test::Compare(operator, Cell::Timestamp(time));
    let days = Test::All(vec![
        at(Operator::GreaterOrEqual, today - (SPEND_DAYS - 1) * DAY),
        at(Operator::Less, today + DAY),
    ]);
    let look = Look::at(rows, "spends")?.with("cloud_account", account)?.that("date", days)?;
    // Charges that another row already includes are excluded from totals.
    let counts = Filter::Or(vec![
        look.condition("exclude_aggregate", Test::IsNull)?,
        look.condition("exclude_aggregate", Test::Compare(Operator::Equal, Cell::Bool(false)))?,
    ]);
    let look = look.meeting(counts);
    let look = match asked.subject.resource {
        Some(resource) => look.with("cloud_resource_id", resource)?,
        None => look,
    };
    let parts = [
        ("date", Part::Key(Key::Column("date"))),
        ("unit", Part::Key(Key::Column("unit"))),
        ("amount", Part::Sum("amount")),
    ];
    let mut sums: BTreeMap<String, BTreeMap<i64, Decimal>> = BTreeMap::new();
    for row in look.grouped(&parts, &[])? {
        let Some(date) = row["date"].as_str().and_then(parse_timestamp) else { continue };
        let Ok(amount) = Decimal::parse(&row["amount"].to_string()) else { continue };
        let unit = row["unit"].as_str().unwrap_or_default().to_owned();
        let sum = sums.entry(unit).or_default().entry(date.div_euclid(DAY) * DAY).or_insert(Decimal::ZERO);
        *sum = sum.checked_add(amount).unwrap_or(*sum);
    }
    let most = sums.into_iter().max_by_key(|(unit, days)| (days.len(), std::cmp::Reverse(unit.clone())));
    let Some((unit, days)) = most else { return Ok(Vec::new()) };
    let spend = |(day, sum): (i64, Decimal)| {
        let text = sum.to_text();
        Spend {
            day,
            amount: text.as_str().parse().unwrap_or_default(),
            text: format!("{} {unit}", text.as_str()),
        }
    };
    Ok(days.into_iter().map(spend).collect())
}
