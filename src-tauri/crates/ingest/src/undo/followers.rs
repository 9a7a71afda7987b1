//! Rows that follow from others: scores, relations of events, places in a series. They keep nothing that is taken back, and go with it.

use catalogue::ValueRef;
use model::tables::{event_duplicates, events};
use model::{Read as _, row};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use store::{Condition, StoreError, Transaction, eq, is_null, ne, one_of};
use uuid::Uuid;

/// The measure of `cloud_account_score` that the product works out itself.
const OWN_MEASURE: &str = "waste";
const SECOND: i64 = 1_000_000;
const SERIES: &str = "event_duplicates";

/// Which rows of a table hold what they refer to: those that meet all conditions of one of the lists. A recommendation of the product's own rules that
/// nobody has decided on holds nothing: it is found again if there is reason to.
pub(super) fn deciding(table: &str) -> Vec<Vec<Condition<'static>>> {
    match table {
        "recommendation" => {
            let decided =
                ["Assigned", "InProgress", "Closed", "Dismissed", "Archive"].map(Into::into).to_vec();
            vec![vec![is_null("rule_version")], vec![one_of("status", decided)]]
        }
        "cloud_account_score" => vec![vec![is_null("source")], vec![ne("source", OWN_MEASURE)]],
        // What a person did to an event, not what a rule did.
        "event_history" => vec![vec![ne("changed_by", ValueRef::Uuid(Uuid::nil()))]],
        "event_correlations" | SERIES => Vec::new(),
        _ => vec![Vec::new()],
    }
}

/// Removes what follows from rows that go, as far as the database does not.
pub(super) fn remove(rows: &Transaction<'_>, table: &str, gone: &HashSet<Uuid>) -> Result<(), StoreError> {
    match table {
        "cloud_accounts" => {
            for id in gone {
                rows.delete(
                    "cloud_account_score",
                    &[eq("cloud_account_id", *id), eq("source", OWN_MEASURE)],
                )?;
            }
            Ok(())
        }
        "events" => close_ranks(rows, gone),
        _ => Ok(()),
    }
}

row! { struct Member from event_duplicates { event_id, cloud_account_id, fingerprint } }
row! { struct Place from event_duplicates { id, event_id } }
row! { struct Start from events { id, starts_at, created_at } }

/// Takes events out of their series; those that stay are counted from 1 again.
fn close_ranks(rows: &Transaction<'_>, gone: &HashSet<Uuid>) -> Result<(), StoreError> {
    let mut touched: BTreeSet<(Uuid, String)> = BTreeSet::new();
    rows.query::<Member>().for_each(|row| {
        if gone.contains(&row.event_id.uuid()) {
            touched.insert((row.cloud_account_id, row.fingerprint));
        }
        Ok::<_, StoreError>(())
    })?;
    for (account, fingerprint) in touched {
        let series = event_duplicates::cloud_account_id.eq(account);
        let series = series.and(event_duplicates::fingerprint.eq(fingerprint.as_str()));
        let places = rows.query::<Place>().filter(series);
        let places = places.order(event_duplicates::occurrence_number.asc()).rows()?;
        let (gone, left): (Vec<Place>, Vec<Place>) =
            places.into_iter().partition(|place| gone.contains(&place.event_id.uuid()));
        place_again(rows, account, &fingerprint, &left)?;
        for place in gone {
            rows.delete(SERIES, &[eq("id", place.id.uuid())])?;
        }
    }
    Ok(())
}

/// Writes the places of a series anew, in this order.
fn place_again(
    rows: &Transaction<'_>,
    account: Uuid,
    fingerprint: &str,
    places: &[Place],
) -> Result<(), StoreError> {
    let Some(first) = places.first() else { return Ok(()) };
    let series = events::cloud_account_id.eq(account).and(events::fingerprint.eq(fingerprint));
    let starts: BTreeMap<Uuid, i64> = rows
        .query::<Start>()
        .filter(series)
        .rows()?
        .into_iter()
        .map(|event| (event.id.uuid(), event.starts_at.unwrap_or(event.created_at).0))
        .collect();
    let at = |place: &Place| starts.get(&place.event_id.uuid()).copied().unwrap_or_default();
    let mut previous = first;
    for (occurrence, place) in (1..).zip(places) {
        let since = |other: &Place| ((at(place) - at(other)) / SECOND).clamp(0, i64::from(i32::MAX));
        rows.update(
            SERIES,
            &[eq("id", place.id.uuid())],
            &[
                ("occurrence_number", ValueRef::Int(occurrence)),
                ("first_event_id", first.event_id.uuid().into()),
                ("previous_event_id", previous.event_id.uuid().into()),
                ("absolute_first_seen_at", ValueRef::Timestamp(at(first))),
                ("time_since_first_seconds", ValueRef::Int(since(first))),
                ("time_since_previous_seconds", ValueRef::Int(since(previous))),
            ],
        )?;
        previous = place;
    }
    Ok(())
}
