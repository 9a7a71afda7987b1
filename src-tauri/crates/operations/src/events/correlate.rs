//! Relates events by stored facts: time, resource, namespace, service (semantics §7).
//!
//! A service graph or traces could also show causes, but nothing imports them yet.

use crate::kit::{Look, uuid};
use catalogue::{Decimal, ValueRef};
use graphql::Refusal;
use model::tables::{event_correlations, events};
use model::{Read, Timestamp, row};
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};
use store::{Transaction, eq};
use uuid::Uuid;

const MINUTE: i64 = 60_000_000;
/// Related events begin within this many µs of each other.
const WINDOW: i64 = 10 * MINUTE;
/// The number of events in the window that are compared, latest first.
const CANDIDATES: usize = 50;
/// The lowest score of a relation, in hundredths; lower scores are treated as chance.
const LEAST: i64 = 50;
/// Events per query.
const AT_ONCE: usize = 400;

row! {
    /// The columns of an event that are compared.
    struct EventRow from events {
        id, cloud_resource_id, created_at, fingerprint, service_key, starts_at, subject_namespace
    }
}
row! { struct Pair from event_correlations { event_id, related_event_id } }

/// An event related to another event.
pub(super) struct Correlation {
    pub event: Uuid,
    fingerprint: String,
    /// Score in hundredths.
    score: i64,
    pub kind: &'static str,
    reason: String,
    /// Minutes from the event to this one; negative if this one began earlier.
    minutes: i64,
}

/// The events that began near a set of events of one account, read with few queries.
pub(super) struct Neighbourhood {
    account: Uuid,
    events: HashMap<Uuid, EventRow>,
    /// By start, latest first; equal starts by id. Contains at least the candidates of each event.
    near: Vec<EventRow>,
    /// Pairs of events that are already related.
    pairs: HashSet<(Uuid, Uuid)>,
}

impl EventRow {
    /// When the event began, or when it arrived if that is unknown; µs since 1970 UTC.
    fn start(&self) -> i64 {
        self.starts_at.unwrap_or(self.created_at).micros()
    }
}

impl Neighbourhood {
    /// Reads the events that began near the events `ids`.
    pub(super) fn of(rows: &Transaction<'_>, account: Uuid, ids: &[Uuid]) -> Result<Self, Refusal> {
        let mut events = HashMap::new();
        let mut pairs = HashSet::new();
        for ids in ids.chunks(AT_ONCE) {
            let these = events::id.one_of(ids.iter().copied());
            let found = rows.query::<EventRow>().filter(these).rows()?;
            events.extend(found.into_iter().map(|event| (event.id.uuid(), event)));
            let of_these = event_correlations::event_id
                .one_of(ids.iter().copied())
                .or(event_correlations::related_event_id.one_of(ids.iter().copied()));
            let found = rows.query::<Pair>().filter(of_these).rows()?;
            pairs.extend(found.iter().map(|pair| (pair.event_id.uuid(), pair.related_event_id.uuid())));
        }
        let times: BTreeSet<i64> = events.values().map(EventRow::start).collect();
        let near = near(rows, account, &times)?;
        Ok(Self { account, events, near, pairs })
    }

    /// The related events: for each fingerprint, the one with the highest score.
    pub(super) fn related(&self, event: Uuid) -> Vec<Correlation> {
        let Some(event) = self.events.get(&event) else { return Vec::new() };
        let at = event.start();
        let print = event.fingerprint.as_deref().unwrap_or_default();
        let from = self.near.partition_point(|other| other.start() > at + WINDOW);
        let around = self.near[from..].iter().take_while(|other| other.start() >= at - WINDOW);
        let mut best: HashMap<String, Correlation> = HashMap::new();
        for other in around.filter(|other| other.id != event.id).take(CANDIDATES) {
            let Some(found) = compare(event, other) else { continue };
            if found.fingerprint == print && !print.is_empty() {
                // The same problem again: the series covers it.
                continue;
            }
            // An event without a fingerprint is its own group.
            let name = if found.fingerprint.is_empty() {
                found.event.to_string()
            } else {
                found.fingerprint.clone()
            };
            match best.get(&name) {
                Some(known) if (known.score, found.event) >= (found.score, known.event) => {}
                _ => drop(best.insert(name, found)),
            }
        }
        let mut all: Vec<Correlation> = best.into_values().collect();
        all.sort_by_key(|found| (-found.score, found.event));
        all
    }

    /// Stores the relation for both events and returns the number of new rows. If `writes` is false, only counts them.
    pub(super) fn write(
        &mut self,
        rows: &Transaction<'_>,
        event: Uuid,
        found: &[Correlation],
        writes: bool,
    ) -> Result<u64, Refusal> {
        let mut new = 0;
        for found in found {
            for (one, other, minutes) in
                [(event, found.event, found.minutes), (found.event, event, -found.minutes)]
            {
                if self.pairs.contains(&(one, other)) {
                    continue;
                }
                new += 1;
                if writes {
                    self.pairs.insert((one, other));
                    insert(rows, self.account, (one, other), found, minutes)?;
                }
            }
        }
        Ok(new)
    }
}

/// The events that began near the given times, in the order of [`Neighbourhood::near`].
fn near(rows: &Transaction<'_>, account: Uuid, times: &BTreeSet<i64>) -> Result<Vec<EventRow>, Refusal> {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return Ok(Vec::new()) };
    let between = |from: i64, until: i64, most: usize| {
        rows.query::<EventRow>()
            .filter(events::cloud_account_id.eq(account))
            .filter(events::starts_at.ge(Timestamp(from - WINDOW)))
            .filter(events::starts_at.le(Timestamp(until + WINDOW)))
            .order(events::starts_at.desc_nulls_last())
            .order(events::id.asc())
            .limit(most as u64)
            .rows()
    };
    // One of them may be the event itself.
    let of_each = CANDIDATES + 1;
    let most = of_each * times.len();
    let all = between(*first, *last, most)?;
    if all.len() < most || times.len() == 1 {
        return Ok(all);
    }
    // The range contains more events than the limit: querying each time separately reads fewer.
    let mut known = HashSet::new();
    let mut near = Vec::new();
    for at in times {
        let around = between(*at, *at, of_each)?;
        near.extend(around.into_iter().filter(|event| known.insert(event.id)));
    }
    near.sort_unstable_by_key(|event| (std::cmp::Reverse(event.start()), event.id));
    Ok(near)
}

fn compare(event: &EventRow, other: &EventRow) -> Option<Correlation> {
    let later = other.start() - event.start();
    let time = match later.abs() {
        apart if apart <= 2 * MINUTE => 30,
        apart if apart <= 5 * MINUTE => 15,
        _ => 5,
    };
    let same_text = |one: &Option<String>, other: &Option<String>| {
        one.as_deref().is_some_and(|text| !text.is_empty()) && one == other
    };
    let parts = [
        (
            event.cloud_resource_id.is_some() && event.cloud_resource_id == other.cloud_resource_id,
            25,
            "the same resource",
            "same_resource",
        ),
        (same_text(&event.service_key, &other.service_key), 15, "the same service", "same_service"),
        (
            same_text(&event.subject_namespace, &other.subject_namespace),
            10,
            "the same namespace",
            "same_namespace",
        ),
    ];
    let shared: Vec<_> = parts.into_iter().filter(|(is_shared, ..)| *is_shared).collect();
    let score = time + shared.iter().map(|(_, worth, ..)| worth).sum::<i64>();
    let minutes = later / MINUTE;
    let mut reason = format!("{} min apart", minutes.abs());
    for (_, _, what, _) in &shared {
        reason.push_str(", ");
        reason.push_str(what);
    }
    (score >= LEAST).then(|| Correlation {
        event: other.id.uuid(),
        fingerprint: other.fingerprint.clone().unwrap_or_default(),
        score: score.min(100),
        kind: shared.first().map_or("temporal_proximity", |(.., kind)| kind),
        reason,
        minutes,
    })
}

fn insert(
    rows: &Transaction<'_>,
    account: Uuid,
    (event, related): (Uuid, Uuid),
    found: &Correlation,
    minutes: i64,
) -> Result<(), Refusal> {
    let score = Decimal::from_parts(i128::from(found.score), 2).unwrap_or(Decimal::from(0));
    rows.insert(
        "event_correlations",
        &[
            ("cloud_account_id", account.into()),
            ("event_id", event.into()),
            ("related_event_id", related.into()),
            ("correlation_reason", found.reason.as_str().into()),
            ("correlation_score", ValueRef::Decimal(score)),
            ("correlation_type", found.kind.into()),
            ("dependency_distance", ValueRef::Int(0)),
            ("time_offset_minutes", ValueRef::Int(minutes)),
            ("created_at", ValueRef::Timestamp(rows.now())),
        ],
    )?;
    Ok(())
}

/// Deletes duplicate relations of an account: for each event and related fingerprint, only the best row stays. Returns the number of deleted
/// rows.
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
