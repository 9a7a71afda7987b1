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
pub(super) fn blocking_conditions(table: &str) -> Vec<Vec<Condition<'static>>> {
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
        "events" => remove_from_series(rows, gone),
        _ => Ok(()),
    }
}

row! { struct Member from event_duplicates { event_id, cloud_account_id, fingerprint } }
row! { struct SeriesPosition from event_duplicates { id, event_id } }
row! { struct Start from events { id, starts_at, created_at } }

/// Removes events from their series and renumbers the remaining ones from 1.
fn remove_from_series(rows: &Transaction<'_>, gone: &HashSet<Uuid>) -> Result<(), StoreError> {
    let mut affected: BTreeSet<(Uuid, String)> = BTreeSet::new();
    rows.query::<Member>().for_each(|row| {
        if gone.contains(&row.event_id.uuid()) {
            affected.insert((row.cloud_account_id, row.fingerprint));
        }
        Ok::<_, StoreError>(())
    })?;
    for (account, fingerprint) in affected {
        let series = event_duplicates::cloud_account_id.eq(account);
        let series = series.and(event_duplicates::fingerprint.eq(fingerprint.as_str()));
        let positions = rows.query::<SeriesPosition>().filter(series);
        let positions = positions.order(event_duplicates::occurrence_number.asc()).rows()?;
        let (gone, left): (Vec<SeriesPosition>, Vec<SeriesPosition>) =
            positions.into_iter().partition(|position| gone.contains(&position.event_id.uuid()));
        renumber(rows, account, &fingerprint, &left)?;
        for position in gone {
            rows.delete(SERIES, &[eq("id", position.id.uuid())])?;
        }
    }
    Ok(())
}

/// Rewrites the positions of a series in this order.
fn renumber(
    rows: &Transaction<'_>,
    account: Uuid,
    fingerprint: &str,
    positions: &[SeriesPosition],
) -> Result<(), StoreError> {
    let Some(first) = positions.first() else { return Ok(()) };
    let series = events::cloud_account_id.eq(account).and(events::fingerprint.eq(fingerprint));
    let starts: BTreeMap<Uuid, i64> = rows
        .query::<Start>()
        .filter(series)
        .rows()?
        .into_iter()
        .map(|event| (event.id.uuid(), event.starts_at.unwrap_or(event.created_at).0))
        .collect();
    let at = |position: &SeriesPosition| starts.get(&position.event_id.uuid()).copied().unwrap_or_default();
    let mut previous = first;
    for (occurrence, position) in (1..).zip(positions) {
        let since =
            |other: &SeriesPosition| ((at(position) - at(other)) / SECOND).clamp(0, i64::from(i32::MAX));
        rows.update(
            SERIES,
            &[eq("id", position.id.uuid())],
            &[
                ("occurrence_number", ValueRef::Int(occurrence)),
                ("first_event_id", first.event_id.uuid().into()),
                ("previous_event_id", previous.event_id.uuid().into()),
                ("absolute_first_seen_at", ValueRef::Timestamp(at(first))),
                ("time_since_first_seconds", ValueRef::Int(since(first))),
                ("time_since_previous_seconds", ValueRef::Int(since(previous))),
            ],
        )?;
        previous = position;
    }
    Ok(())
}
