//! Collects the rows around an event, with the access rights of the reader.

use super::accounts::{find_accounts, find_subject};
use super::context_rows::{changes, logs, series, spends, states};
use crate::kit::Look;
use crate::kit::in_account::{Object, id, object};
use analysis::{Event, Material, Neighbour, Other, Subject};
use catalogue::{Value as Cell, parse_timestamp};
use graphql::Refusal;
use model::tables::{knowledge_graph_edge, knowledge_graph_node};
use model::{Read as _, row};
use serde_json::{Map, Value};
use std::collections::HashMap;
use store::{Transaction, eq};
use uuid::Uuid;

pub(super) const MINUTE: i64 = 60_000_000;
pub(super) const HOUR: i64 = 60 * MINUTE;
/// Maximum time between the starts of related events, µs (semantics §7).
const NEAR: i64 = 10 * MINUTE;
/// Maximum number of rows per kind, closest in time first.
pub(super) const MAX_ROWS: u64 = 500;
/// Maximum number of steps followed in the graph.
const STEPS: u8 = 2;

pub(super) const EVENT_COLUMNS: [&str; 21] = [
    "id",
    "title",
    "description",
    "aggregation_key",
    "fingerprint",
    "finding_type",
    "source",
    "starts_at",
    "created_at",
    "ends_at",
    "updated_at",
    "cloud_resource_id",
    "subject_name",
    "subject_namespace",
    "subject_node",
    "subject_owner",
    "service_key",
    "labels",
    "evidences",
    "principal",
    "cluster",
];

/// Collects the event and all rows near it that the rules use.
pub(super) fn collect(
    rows: &Transaction<'_>,
    account: Uuid,
    event: &Object,
) -> Result<(Event, Material), Refusal> {
    let accounts = find_accounts(rows, account, event)?;
    let words = ["description", "labels", "evidences"].map(|column| word(event.get(column))).join(" ");
    let asked = Event {
        id: uuid_of(event, "id").unwrap_or_default(),
        title: text(event, "title").to_owned(),
        kind: text(event, "aggregation_key").to_owned(),
        words,
        starts_at: start(event),
        ends_at: time(event, "ends_at"),
        subject: find_subject(rows, &accounts, event)?,
    };
    let near = near(rows, &accounts, &asked)?;
    let material = Material {
        changes: changes(rows, &accounts, &asked)?,
        series: series(rows, account, &asked, text(event, "fingerprint"))?,
        neighbours: neighbours(rows, &accounts, &asked.subject)?,
        logs: logs(rows, &accounts, &asked)?,
        states: states(rows, &accounts, &asked.subject)?,
        spends: spends(rows, account, &asked)?,
        events: near,
    };
    Ok((asked, material))
}

/// Events of the accounts in an interval, as objects.
pub(super) fn events_between(
    rows: &Transaction<'_>,
    accounts: &[Uuid],
    from: i64,
    until: i64,
) -> Result<Vec<Object>, Refusal> {
    use store::query::{Operator, Test};
    let at = |operator, time| Test::Compare(operator, Cell::Timestamp(time));
    let between = Test::All(vec![at(Operator::GreaterOrEqual, from), at(Operator::LessOrEqual, until)]);
    let accounts = accounts.iter().copied().map(Cell::Uuid).collect();
    let look = Look::at(rows, "events")?.one_of("cloud_account_id", accounts)?.that("starts_at", between)?;
    let look = look.ordered("starts_at", true)?.ordered("id", false)?.limit(MAX_ROWS);
    let found = look.rows(&EVENT_COLUMNS)?;
    Ok(found.into_iter().filter_map(|row| row.as_object().cloned()).collect())
}

fn near(rows: &Transaction<'_>, accounts: &[Uuid], asked: &Event) -> Result<Vec<Other>, Refusal> {
    let found = events_between(rows, accounts, asked.starts_at - NEAR, asked.starts_at + NEAR)?;
    let others = found.iter().filter(|event| !is_change(event) && !is_routine(event)).map(|event| Other {
        id: uuid_of(event, "id").unwrap_or_default(),
        title: text(event, "title").to_owned(),
        starts_at: start(event),
        ends_at: time(event, "ends_at"),
        subject: subject(event),
    });
    Ok(others.filter(|other| other.id != asked.id).collect())
}

/// Whether the event reports a change instead of a problem.
pub(super) fn is_change(event: &Object) -> bool {
    let kind = format!("{} {}", text(event, "finding_type"), text(event, "aggregation_key")).to_lowercase();
    matches!(text(event, "source"), "helm_release" | "AWS_CloudTrail" | "AWS_EventBridge")
        || ["configuration_change", "configurationchange", "deployment", "release", "scalingreplicaset"]
            .iter()
            .any(|word| kind.contains(word))
}

/// Whether a cluster event reports normal operation, such as a started container, which cannot be a cause.
fn is_routine(event: &Object) -> bool {
    let labels: Value = match event.get("labels") {
        Some(Value::String(text)) => text.parse().unwrap_or_default(),
        Some(labels) => labels.clone(),
        None => Value::Null,
    };
    text(event, "source") == "kubernetes_api_server"
        && labels["type"].as_str().is_some_and(|kind| kind.eq_ignore_ascii_case("normal"))
}

row! { struct NodeRow from knowledge_graph_node { id, properties, unique_key } }
row! {
    struct EdgeRow from knowledge_graph_edge { id, source_node_id, destination_node_id, relationship_type }
}

/// The neighbours of the subject in the graph, up to two steps away.
fn neighbours(
    rows: &Transaction<'_>,
    accounts: &[Uuid],
    subject: &Subject,
) -> Result<Vec<Neighbour>, Refusal> {
    if subject.workload().is_empty() && subject.resource.is_none() {
        return Ok(Vec::new());
    }
    let mut nodes: HashMap<Uuid, (String, String)> = HashMap::new();
    let mut starts = Vec::new();
    let active = rows
        .query::<NodeRow>()
        .filter(knowledge_graph_node::cloud_account_id.one_of(accounts.iter().copied()))
        .filter(knowledge_graph_node::is_active.eq(true));
    active.for_each(|node| {
        let id = node.id.uuid();
        let properties: Map<String, Value> = node.properties.parse().unwrap_or_default();
        let property =
            |name: &str| properties.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let name = match property("name") {
            name if name.is_empty() => node.unique_key,
            name => name,
        };
        let namespace = property("namespace");
        let is_resource =
            subject.resource.is_some_and(|resource| property("resource_id") == resource.to_string());
        let is_named = name == subject.workload()
            && (namespace.is_empty() || subject.namespace.is_empty() || namespace == subject.namespace);
        if is_resource || is_named {
            starts.push(id);
        }
        nodes.insert(id, (name, namespace));
        Ok::<_, Refusal>(())
    })?;
    if starts.is_empty() {
        return Ok(Vec::new());
    }
    let edges = rows
        .query::<EdgeRow>()
        .filter(knowledge_graph_edge::cloud_account_id.one_of(accounts.iter().copied()))
        .order(knowledge_graph_edge::id.asc())
        .rows()?;
    let edge = |edge: EdgeRow| {
        (edge.id.uuid(), edge.source_node_id, edge.destination_node_id, edge.relationship_type)
    };
    let edges: Vec<Edge> = edges.into_iter().map(edge).collect();
    Ok(walk(starts, &nodes, &edges))
}

type Edge = (Uuid, Uuid, Uuid, String);

/// Each neighbour once, by its shortest path. Its direction is that of the path's first step.
fn walk(starts: Vec<Uuid>, nodes: &HashMap<Uuid, (String, String)>, edges: &[Edge]) -> Vec<Neighbour> {
    let mut found: Vec<Neighbour> = Vec::new();
    let mut border: Vec<(Uuid, Option<(bool, String)>)> = starts.iter().map(|start| (*start, None)).collect();
    let mut seen: Vec<Uuid> = starts;
    for distance in 1..=STEPS {
        let mut next = Vec::new();
        for (from, way) in &border {
            for (_, source, destination, relation) in edges {
                let (other, is_needed) = if source == from {
                    (*destination, true)
                } else if destination == from {
                    (*source, false)
                } else {
                    continue;
                };
                if seen.contains(&other) {
                    continue;
                }
                let (is_needed, relation) = way.clone().unwrap_or_else(|| (is_needed, relation.clone()));
                let Some((name, namespace)) = nodes.get(&other) else { continue };
                seen.push(other);
                found.push(Neighbour {
                    id: other,
                    name: name.clone(),
                    namespace: namespace.clone(),
                    relation: relation.clone(),
                    distance,
                    is_needed,
                });
                next.push((other, Some((is_needed, relation))));
            }
        }
        border = next;
    }
    found
}

pub(super) fn subject(event: &Object) -> Subject {
    let own = |column: &str| text(event, column).to_owned();
    Subject {
        resource: uuid_of(event, "cloud_resource_id"),
        namespace: own("subject_namespace"),
        name: own("subject_name"),
        owner: own("subject_owner"),
        service: own("service_key"),
        node: own("subject_node"),
    }
}

/// When the event started, or when it arrived if the source does not report a start.
pub(super) fn start(event: &Object) -> i64 {
    time(event, "starts_at").or_else(|| time(event, "created_at")).unwrap_or_default()
}

pub(super) fn time(row: &Object, column: &str) -> Option<i64> {
    row.get(column).and_then(Value::as_str).and_then(parse_timestamp)
}

pub(super) fn text<'a>(row: &'a Object, column: &str) -> &'a str {
    row.get(column).and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn uuid_of(row: &Object, column: &str) -> Option<Uuid> {
    id(column, text(row, column)).ok()
}

fn word(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// The event with that id in the account, if the reader may read it.
pub(super) fn find(rows: &Transaction<'_>, account: Uuid, event: Uuid) -> Result<Object, Refusal> {
    let conditions = [eq("id", event), eq("cloud_account_id", account)];
    let found = rows.select("events", &EVENT_COLUMNS, &conditions)?.pop();
    found
        .map(|row| object(&EVENT_COLUMNS, row))
        .ok_or_else(|| Refusal::not_found(format!("there is no event {event} in account {account}")))
}
