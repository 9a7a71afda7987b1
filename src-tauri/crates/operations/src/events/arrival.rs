//! Triage of new events, in the transaction that adds them: their position in a series, related events, matching triage rules, and score.

use super::active_rules::{self, ActiveRules};
use super::correlate::Neighbourhood;
use super::status::{self, ChangeContext};
use super::{score, series};
use crate::kit::{Look, text, uuid};
use catalogue::{Caller, Value, ValueRef};
use graphql::Refusal;
use model::tables::events;
use model::{Read, row};
use serde_json::Value as Json;
use std::collections::{BTreeMap, HashMap};
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

row! { struct Arrival from events { id, tenant, cloud_account_id, created_at, fingerprint, starts_at } }

/// Events per query.
const BATCH: usize = 500;

/// The columns that triage reads.
pub(super) const COLUMNS: [&str; 16] = [
    "id",
    "tenant",
    "cloud_account_id",
    "aggregation_key",
    "cloud_resource_id",
    "computed_score",
    "created_at",
    "finding_type",
    "fingerprint",
    "labels",
    "nb_status",
    "priority",
    "service_key",
    "source",
    "starts_at",
    "subject_namespace",
];

/// The counts of a triage.
#[derive(Default)]
pub(super) struct TriageOutcome {
    /// Events that repeat an earlier event.
    pub duplicates: u64,
    /// New rows that relate two events to each other.
    pub correlations: u64,
}

/// Triages newly added events of all tenants. Events without an account are skipped, because rules and series belong to accounts.
pub(crate) fn arrived(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    triage_all(rows, ids).map_err(Refusal::into_error)?;
    ingest::graph::add_new_events(rows, ids)?;
    crate::workflows::engine::events_arrived(rows, ids)
}

fn triage_all(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), Refusal> {
    for ((tenant, account), events) in arrivals(rows, ids)? {
        let system = Caller::system_for(tenant);
        let by = ChangeContext { rows: &rows.as_caller(&system), person: None, now: rows.now() };
        let judge = ActiveRules::of(by.rows, account)?;
        let fingerprints = events.iter().filter_map(|event| event.fingerprint.clone());
        let occurrences = series::occurrences(by.rows, account, fingerprints, true)?;
        for events in events.chunks(BATCH) {
            let ids = events.iter().map(|event| Value::Uuid(event.id.uuid())).collect();
            let mut events = Look::at(by.rows, "events")?.one_of("id", ids)?.rows(&COLUMNS)?;
            events.sort_by_key(|event| (series::start(event), uuid(event, "id")));
            let mut matched = Vec::new();
            triage(by, account, &events, &occurrences, true, |event, occurrence| {
                let verdict = judge.apply(event, occurrence);
                matched.extend(&verdict.rules);
                if let Some((target, rule)) = verdict.status {
                    decide(by, account, event, target, &rule)?;
                }
                Ok(verdict.step)
            })?;
            active_rules::count(by.rows, &matched)?;
        }
    }
    Ok(())
}

/// The events by tenant and account, earliest first.
fn arrivals(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<BTreeMap<(Uuid, Uuid), Vec<Arrival>>, Refusal> {
    let mut places: BTreeMap<(Uuid, Uuid), Vec<Arrival>> = BTreeMap::new();
    for ids in ids.chunks(BATCH) {
        for event in rows.query::<Arrival>().filter(events::id.one_of(ids.iter().copied())).rows()? {
            if let Some(account) = event.cloud_account_id {
                places.entry((event.tenant.uuid(), account.uuid())).or_default().push(event);
            }
        }
    }
    for events in places.values_mut() {
        events.sort_unstable_by_key(|event| (event.starts_at.unwrap_or(event.created_at), event.id));
    }
    Ok(places)
}

/// Sets the status that a rule gives to an event. An event that arrived with a status other than OPEN keeps it.
fn decide(
    by: ChangeContext<'_>,
    account: Uuid,
    event: &Json,
    target: &str,
    rule: &str,
) -> Result<(), Refusal> {
    let before = event["nb_status"].as_str().unwrap_or("OPEN");
    if before != "OPEN" || before == target {
        return Ok(());
    }
    let id = uuid(event, "id").unwrap_or_default();
    let event = status::Event { id, account: Some(account), status: before.to_owned() };
    status::set(by, &event, target, None, &format!("triage rule \"{rule}\""))
}

/// Finds relations and scores for events of one account, and stores them if `writes` is true. `occurrences` maps an event to its position in its
/// series, for events placed just now. `rules` returns how far the matching rules move an event's score.
pub(super) fn triage(
    by: ChangeContext<'_>,
    account: Uuid,
    events: &[Json],
    occurrences: &HashMap<Uuid, i64>,
    writes: bool,
    mut rules: impl FnMut(&Json, i64) -> Result<i64, Refusal>,
) -> Result<TriageOutcome, Refusal> {
    let rows = by.rows;
    let ids: Vec<Uuid> = events.iter().filter_map(|event| uuid(event, "id")).collect();
    let placed: Vec<Uuid> = ids.iter().copied().filter(|id| !occurrences.contains_key(id)).collect();
    let placed = series::known(rows, &placed)?;
    let mut surroundings = Neighbourhood::of(rows, account, &ids)?;
    let account_row = Look::at(rows, "cloud_accounts")?.with("id", account)?.first(&["account_env"])?;
    let account_row = account_row.unwrap_or_default();
    let mut found = TriageOutcome::default();
    for event in events {
        let id = uuid(event, "id").unwrap_or_default();
        let occurrence = occurrences.get(&id).or_else(|| placed.get(&id)).copied().unwrap_or(1);
        found.duplicates += u64::from(occurrence > 1);
        let related = surroundings.related(id);
        found.correlations += surroundings.write(rows, id, &related, writes)?;
        let step = rules(event, occurrence)?;
        if writes && event["computed_score"].is_null() {
            let kinds: Vec<&str> = related.iter().map(|related| related.kind).collect();
            let score = score::score(event, text(&account_row, "account_env"), occurrence, &kinds, step);
            let factors = score.factors.to_string();
            let sets = [
                ("computed_score", ValueRef::Int(score.value)),
                ("computed_priority", score::priority(score.value).into()),
                ("score_factors", ValueRef::Json(&factors)),
            ];
            rows.update("events", &[eq("id", id)], &sets)?;
        }
    }
    Ok(found)
}
