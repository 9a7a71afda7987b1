//! Derived rows: scores, correlations of events, and positions in a series. They do not prevent the undo of other rows and are removed with them.

use catalogue::ValueRef;
use model::tables::{event_duplicates, events};
use model::{Read as _, row};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use store::{Condition, StoreError, Transaction, eq, is_null, ne, one_of};
use uuid::Uuid;

/// The score source in `cloud_account_score` that the product computes itself.
const OWN_MEASURE: &str = "waste";
const SECOND: i64 = 1_000_000;
const SERIES: &str = "event_duplicates";

/// Which rows of a table prevent the removal of the rows they refer to: those that meet all conditions of one of the lists. A recommendation from
/// the product's own rules without a user's decision does not: it is found again if its reason still exists.
pub(super) fn deciding(table: &str) -> Vec<Vec<Condition<'static>>> {
    match table {
        "recommendation" => {
            let decided =
                ["Assigned", "InProgress", "Closed", "Dismissed", "Archive"].map(Into::into).to_vec();
            vec![vec![is_null("rule_version")], vec![one_of("status", decided)]]
        }
        "cloud_account_score" => vec![vec![is_null("source")], vec![ne("source", OWN_MEASURE)]],
        // Changes made by a person, not by a rule.
        "event_history" => vec![vec![ne("changed_by", ValueRef::Uuid(Uuid::nil()))]],
        "event_correlations" | SERIES => Vec::new(),
        _ => vec![Vec::new()],
    }
}

/// Removes rows derived from removed rows, where the database does not cascade.
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

/// Removes events from their series and renumbers the remaining ones from 1.
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

/// Rewrites the positions of a series in this order.
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
