//! Which events belong to the same trouble, as far as stored facts tell: time, resource, namespace, service (semantics §7).
//!
//! The graph of services and traces would say more, up to who caused whom; neither is brought in by anything yet.

use super::series::start;
use crate::kit::{Look, text, uuid};
use catalogue::{Decimal, Value, ValueRef};
use graphql::Refusal;
use serde_json::Value as Json;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use store::query::{Operator, Test};
use store::{Transaction, eq};
use uuid::Uuid;

const MINUTE: i64 = 60_000_000;
/// Events begin so close to each other.
const WINDOW: i64 = 10 * MINUTE;
const CANDIDATES: u64 = 50;
/// In hundredths: what lies below is chance.
const LEAST: i64 = 50;

/// The columns of an event that are compared.
pub(super) const COLUMNS: [&str; 7] =
    ["id", "cloud_resource_id", "created_at", "fingerprint", "service_key", "starts_at", "subject_namespace"];

/// An event that belongs to another.
pub(super) struct Found {
    pub event: Uuid,
    fingerprint: String,
    /// Hundredths.
    score: i64,
    pub kind: &'static str,
    reason: String,
    /// How much later it began.
    minutes: i64,
}

/// The events around one that belong to it, one of each fingerprint: the closest.
pub(super) fn found(rows: &Transaction<'_>, account: Uuid, event: &Json) -> Result<Vec<Found>, Refusal> {
    let Some(at) = start(event) else { return Ok(Vec::new()) };
    let time = |operator, time| Test::Compare(operator, Value::Timestamp(time));
    let near = Test::All(vec![
        time(Operator::GreaterOrEqual, at - WINDOW),
        time(Operator::LessOrEqual, at + WINDOW),
    ]);
    let itself = Test::Compare(Operator::NotEqual, Value::Uuid(uuid(event, "id").unwrap_or_default()));
    let look = Look::at(rows, "events")?.with("cloud_account_id", account)?;
    let look = look.that("starts_at", near)?.that("id", itself)?;
    let look = look.ordered("starts_at", true)?.ordered("id", false)?.limit(CANDIDATES);
    let mut best: HashMap<String, Found> = HashMap::new();
    for other in look.rows(&COLUMNS)? {
        let Some(found) = compare(event, at, &other) else { continue };
        if found.fingerprint == text(event, "fingerprint") && !found.fingerprint.is_empty() {
            // The same thing again: its series tells of it.
            continue;
        }
        // Without a fingerprint an event stands for itself.
        let name =
            if found.fingerprint.is_empty() { found.event.to_string() } else { found.fingerprint.clone() };
        match best.get(&name) {
            Some(known) if (known.score, found.event) >= (found.score, known.event) => {}
            _ => drop(best.insert(name, found)),
        }
    }
    let mut all: Vec<Found> = best.into_values().collect();
    all.sort_by_key(|found| (-found.score, found.event));
    Ok(all)
}

fn compare(event: &Json, at: i64, other: &Json) -> Option<Found> {
    let later = start(other)? - at;
    let time = match later.abs() {
        apart if apart <= 2 * MINUTE => 30,
        apart if apart <= 5 * MINUTE => 15,
        _ => 5,
    };
    let same = |name: &str| !text(event, name).is_empty() && text(event, name) == text(other, name);
    let parts = [
        ("cloud_resource_id", 25, "the same resource", "same_resource"),
        ("service_key", 15, "the same service", "same_service"),
        ("subject_namespace", 10, "the same namespace", "same_namespace"),
    ];
    let shared: Vec<_> = parts.into_iter().filter(|(name, ..)| same(name)).collect();
    let score = time + shared.iter().map(|(_, worth, ..)| worth).sum::<i64>();
    let minutes = later / MINUTE;
    let mut reason = format!("{} min apart", minutes.abs());
    for (_, _, what, _) in &shared {
        reason.push_str(", ");
        reason.push_str(what);
    }
    (score >= LEAST).then(|| Found {
        event: uuid(other, "id").unwrap_or_default(),
        fingerprint: text(other, "fingerprint").to_owned(),
        score: score.min(100),
        kind: shared.first().map_or("temporal_proximity", |(.., kind)| kind),
        reason,
        minutes,
    })
}

/// Writes down, for both events, that they belong together; how many rows are new. Without `writes` it counts only.
pub(super) fn write(
    rows: &Transaction<'_>,
    account: Uuid,
    event: Uuid,
    found: &[Found],
    writes: bool,
) -> Result<u64, Refusal> {
    let mut new = 0;
    for found in found {
        for (one, other, minutes) in
            [(event, found.event, found.minutes), (found.event, event, -found.minutes)]
        {
            let pair = [eq("event_id", one), eq("related_event_id", other)];
            if rows.count("event_correlations", &pair)? > 0 {
                continue;
            }
            new += 1;
            if !writes {
                continue;
            }
            let score = Decimal::from_parts(i128::from(found.score), 2).unwrap_or(Decimal::from(0));
            rows.insert(
                "event_correlations",
                &[
                    ("cloud_account_id", account.into()),
                    ("event_id", one.into()),
                    ("related_event_id", other.into()),
                    ("correlation_reason", found.reason.as_str().into()),
                    ("correlation_score", ValueRef::Decimal(score)),
                    ("correlation_type", found.kind.into()),
                    ("dependency_distance", ValueRef::Int(0)),
                    ("time_offset_minutes", ValueRef::Int(minutes)),
                    ("created_at", ValueRef::Timestamp(rows.now())),
                ],
            )?;
        }
    }
    Ok(new)
}

/// Keeps of the rows that relate events of an account to each other the best one for each event and other fingerprint; how many
/// are gone.
pub(super) fn deduplicate(rows: &Transaction<'_>, account: Uuid) -> Result<u64, Refusal> {
    let look = Look::at(rows, "event_correlations")?.with("cloud_account_id", account)?;
    let look = look.ordered("event_id", false)?.ordered("correlation_score", true)?;
    let all = look.ordered("created_at", true)?.ordered("id", false)?.rows(&[
        "id",
        "event_id",
        "related_event_id",
    ])?;
    let mut prints: HashMap<Uuid, String> = HashMap::new();
    let mut kept: HashSet<(Uuid, String)> = HashSet::new();
    let mut gone = 0;
    for row in all {
        let (Some(id), Some(event), Some(other)) =
            (uuid(&row, "id"), uuid(&row, "event_id"), uuid(&row, "related_event_id"))
        else {
            continue;
        };
        let print = match prints.entry(other) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let known =
                    Look::at(rows, "events")?.with("id", other)?.first(&["fingerprint"])?.unwrap_or_default();
                let print = known["fingerprint"].as_str().filter(|print| !print.is_empty());
                place.insert(print.map_or_else(|| other.to_string(), str::to_owned))
            }
        };
        if !kept.insert((event, print.clone())) {
            gone += rows.delete("event_correlations", &[eq("id", id)])?;
        }
    }
    Ok(gone)
}
