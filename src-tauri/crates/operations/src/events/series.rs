//! Series of events: repetitions with the same fingerprint in one account (semantics §7, duplicates).

use catalogue::{ValueRef, parse_timestamp};
use graphql::Refusal;
use model::tables::{event_duplicates, events};
use model::{Read, row};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use store::Transaction;
use uuid::Uuid;

const SECOND: i64 = 1_000_000;
/// Fingerprints, or event ids, per query.
const AT_ONCE: usize = 400;

row! { struct PlaceRow from event_duplicates { event_id, fingerprint, occurrence_number } }
row! { struct EventRow from events { id, created_at, fingerprint, starts_at } }

/// The position of an event in its series.
#[derive(Clone, Copy)]
struct Place {
    event: Uuid,
    /// From 1, in chronological order at the time of placement.
    occurrence: i64,
    first: Uuid,
    first_at: i64,
    previous: Uuid,
    previous_at: i64,
    at: i64,
}

/// The occurrence numbers of the events in the given series of one account, by event. Events without a position get the next numbers, earliest
/// first; these are stored if `writes` is true.
pub(super) fn occurrences(
    rows: &Transaction<'_>,
    account: Uuid,
    fingerprints: impl IntoIterator<Item = String>,
    writes: bool,
) -> Result<HashMap<Uuid, i64>, Refusal> {
    let prints: BTreeSet<String> = fingerprints.into_iter().filter(|print| !print.is_empty()).collect();
    let prints: Vec<String> = prints.into_iter().collect();
    let mut occurrences = HashMap::new();
    for prints in prints.chunks(AT_ONCE) {
        for (print, places) in missing(rows, account, prints)? {
            occurrences.extend(places.iter().map(|place| (place.event, place.occurrence)));
            if writes {
                write(rows, account, &print, &places)?;
            }
        }
    }
    Ok(occurrences)
}

/// The positions of events that have none yet, by fingerprint.
fn missing(
    rows: &Transaction<'_>,
    account: Uuid,
    prints: &[String],
) -> Result<BTreeMap<String, Vec<Place>>, Refusal> {
    let known = rows
        .query::<PlaceRow>()
        .filter(event_duplicates::cloud_account_id.eq(account))
        .filter(event_duplicates::fingerprint.one_of(prints.iter().cloned()))
        .order(event_duplicates::occurrence_number.asc())
        .rows()?;
    let events = rows
        .query::<EventRow>()
        .filter(events::cloud_account_id.eq(account))
        .filter(events::fingerprint.one_of(prints.iter().cloned()))
        .rows()?;
    let mut placed: HashMap<String, Vec<PlaceRow>> = HashMap::new();
    for place in known {
        placed.entry(place.fingerprint.clone()).or_default().push(place);
    }
    let mut members: BTreeMap<String, HashMap<Uuid, i64>> = BTreeMap::new();
    for event in events {
        let start = event.starts_at.unwrap_or(event.created_at).micros();
        members.entry(event.fingerprint.unwrap_or_default()).or_default().insert(event.id.uuid(), start);
    }
    let missing = members.into_iter().map(|(print, times)| {
        let known = placed.get(&print).map(Vec::as_slice).unwrap_or_default();
        let new = continued(known, &times);
        (print, new)
    });
    Ok(missing.collect())
}

/// Positions after the known ones, for the events of one series that have none.
fn continued(known: &[PlaceRow], times: &HashMap<Uuid, i64>) -> Vec<Place> {
    let placed: HashSet<Uuid> = known.iter().map(|place| place.event_id.uuid()).collect();
    let mut new: Vec<(i64, Uuid)> =
        times.iter().filter(|(id, _)| !placed.contains(id)).map(|(id, time)| (*time, *id)).collect();
    new.sort_unstable();
    // An event that was deleted from the table keeps its number in the series.
    let end = |place: &PlaceRow| (place.event_id.uuid(), times.get(&place.event_id.uuid()).copied());
    let last = known.last().map_or(0, |place| place.occurrence_number);
    let (mut first, mut previous) = (known.first().map(end), known.last().map(end));
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
    found
}

/// Stores positions.
fn write(rows: &Transaction<'_>, account: Uuid, fingerprint: &str, places: &[Place]) -> Result<(), Refusal> {
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

/// The occurrence numbers of events that already have a position, by event.
pub(super) fn known(rows: &Transaction<'_>, events: &[Uuid]) -> Result<HashMap<Uuid, i64>, Refusal> {
    let mut found = HashMap::new();
    for events in events.chunks(AT_ONCE) {
        let is_of_these = event_duplicates::event_id.one_of(events.iter().copied());
        for place in rows.query::<PlaceRow>().filter(is_of_these).rows()? {
            found.insert(place.event_id.uuid(), place.occurrence_number);
        }
    }
    Ok(found)
}

/// When an event began, or when it arrived if that is unknown; µs since 1970 UTC.
pub(super) fn start(row: &Json) -> Option<i64> {
    ["starts_at", "created_at"].into_iter().find_map(|name| row[name].as_str().and_then(parse_timestamp))
}
