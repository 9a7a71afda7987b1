//! Series of events: what happens again, by its fingerprint in one account (semantics §7, duplicates).

use crate::kit::{Look, uuid};
use catalogue::{ValueRef, parse_timestamp};
use graphql::Refusal;
use serde_json::Value as Json;
use std::collections::{HashMap, HashSet};
use store::{Transaction, eq};
use uuid::Uuid;

const SECOND: i64 = 1_000_000;

/// The place of an event in its series.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub event: Uuid,
    /// Counted from 1, in the order in which they came.
    pub occurrence: i64,
    first: Uuid,
    first_at: i64,
    previous: Uuid,
    previous_at: i64,
    at: i64,
}

/// The places of the events of a series that have none yet. They come after those that have one, the earliest first.
pub(super) fn missing(
    rows: &Transaction<'_>,
    account: Uuid,
    fingerprint: &str,
) -> Result<Vec<Place>, Refusal> {
    let look = |table: &str| {
        Look::at(rows, table)?.with("cloud_account_id", account)?.with("fingerprint", fingerprint)
    };
    let known = look("event_duplicates")?.ordered("occurrence_number", false)?;
    let known = known.rows(&["event_id", "occurrence_number"])?;
    let placed: HashSet<Uuid> = known.iter().filter_map(|row| uuid(row, "event_id")).collect();
    let events = look("events")?.rows(&["id", "starts_at", "created_at"])?;
    let times: HashMap<Uuid, i64> =
        events.iter().filter_map(|row| Some((uuid(row, "id")?, start(row)?))).collect();
    let mut new: Vec<(i64, Uuid)> =
        times.iter().filter(|(id, _)| !placed.contains(id)).map(|(id, time)| (*time, *id)).collect();
    new.sort_unstable();
    // An event that stands in the series and is gone from the table keeps its number.
    let ends = |row: Option<&Json>| {
        row.and_then(|row| uuid(row, "event_id")).map(|id| (id, times.get(&id).copied()))
    };
    let last = known.last().map_or(0, |row| row["occurrence_number"].as_i64().unwrap_or_default());
    let (mut first, mut previous) = (ends(known.first()), ends(known.last()));
    let mut found = Vec::with_capacity(new.len());
    for (occurrence, (at, event)) in (last + 1..).zip(new) {
        let (first_id, first_at) = *first.get_or_insert((event, Some(at)));
        let (previous_id, previous_at) = previous.unwrap_or((event, Some(at)));
        found.push(Place {
            event,
            occurrence,
            first: first_id,
            first_at: first_at.unwrap_or(at),
            previous: previous_id,
            previous_at: previous_at.unwrap_or(at),
            at,
        });
        previous = Some((event, Some(at)));
    }
    Ok(found)
}

/// Writes places down.
pub(super) fn write(
    rows: &Transaction<'_>,
    account: Uuid,
    fingerprint: &str,
    places: &[Place],
) -> Result<(), Refusal> {
    for place in places {
        let seconds = |since: i64| ((place.at - since) / SECOND).clamp(0, i64::from(i32::MAX));
        rows.insert(
            "event_duplicates",
            &[
                ("cloud_account_id", account.into()),
                ("fingerprint", fingerprint.into()),
                ("event_id", place.event.into()),
                ("occurrence_number", ValueRef::Int(place.occurrence)),
                ("first_event_id", place.first.into()),
                ("previous_event_id", place.previous.into()),
                ("absolute_first_seen_at", ValueRef::Timestamp(place.first_at)),
                ("time_since_first_seconds", ValueRef::Int(seconds(place.first_at))),
                ("time_since_previous_seconds", ValueRef::Int(seconds(place.previous_at))),
                ("created_at", ValueRef::Timestamp(rows.now())),
            ],
        )?;
    }
    Ok(())
}

/// The occurrence of an event that has its place; 1 of one without.
pub(super) fn occurrence(rows: &Transaction<'_>, event: Uuid) -> Result<i64, Refusal> {
    let found = rows.select("event_duplicates", &["occurrence_number"], &[eq("event_id", event)])?;
    Ok(found.first().and_then(|row| row[0].as_int()).unwrap_or(1))
}

/// When an event began, else when it came; µs since 1970 UTC.
pub(super) fn start(row: &Json) -> Option<i64> {
    ["starts_at", "created_at"].into_iter().find_map(|name| row[name].as_str().and_then(parse_timestamp))
}
