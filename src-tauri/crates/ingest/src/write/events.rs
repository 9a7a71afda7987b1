//! Writes alerts and events as rows of `events`.
//!
//! An event is matched by its account and the source's id. Without a match, an alert belongs to a firing event with the same fingerprint:
//! it updates or ends that event.

use super::{Job, Journal};
use crate::ids;
use ::formats::record::{Event, EventSeverity, EventStatus};
use catalogue::{Value, ValueRef};
use model::tables::events;
use model::{EventStatus as StoredStatus, Id, Read as _, Timestamp, row};
use serde_json::{Map, Value as Json};
use std::rc::Rc;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

const TABLE: &str = "events";
/// Columns that an import changes in an existing event.
const CHANGED: [&str; 9] = [
    "title",
    "description",
    "priority",
    "labels",
    "evidences",
    "status",
    "starts_at",
    "ends_at",
    "updated_at",
];
/// Events of this source are matched only by their own ids.
const CLUSTER: &str = "kubernetes_api_server";

/// The result of writing an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Created,
    Updated,
    Unchanged,
}

/// Writes the events of a file or a webhook message.
pub struct Events<'a> {
    transaction: &'a Transaction<'a>,
    tenant: Uuid,
    /// µs since 1970 UTC: the start of an event whose source states none.
    now: i64,
    /// Records changes; `None` for a message, which cannot be undone.
    journal: Option<Rc<Journal<'a>>>,
    created: u64,
    updated: u64,
    /// The number of created events without a known start.
    without_start: u64,
}

row! {
    /// A stored event.
    struct StoredEvent from events { id, status, title, description, priority, labels, evidences, ends_at, starts_at }
}

impl StoredEvent {
    /// Whether it equals the source's current event. Values are compared, because databases format JSON differently.
    fn is_same_as(&self, event: &Event, labels: &Json, evidences: &Json) -> bool {
        self.title == event.title
            && self.description.as_deref().unwrap_or_default()
                == event.description.as_deref().unwrap_or_default()
            && self.priority.as_str() == priority(event)
            && self.labels.as_ref().is_some_and(|held| held.value() == *labels)
            && self.evidences.value() == *evidences
            && self.status.is_some_and(|held| held.as_str() == status(event))
    }
}

impl<'a> Events<'a> {
    pub(crate) fn of_import(transaction: &'a Transaction<'a>, job: Job, journal: Rc<Journal<'a>>) -> Self {
        Self { journal: Some(journal), ..Self::of_message(transaction, job.tenant, job.now) }
    }

    /// Writes the events of a webhook message received at `now`.
    pub fn of_message(transaction: &'a Transaction<'a>, tenant: Uuid, now: i64) -> Self {
        Self { transaction, tenant, now, journal: None, created: 0, updated: 0, without_start: 0 }
    }

    /// Writes an event of an account. `account_name` is used when the event names no cluster.
    pub fn write(&mut self, event: &Event, account: Uuid, account_name: &str) -> Result<Outcome, StoreError> {
        let outcome = if let Some(held) = self.find(event, account)? {
            self.update(&held, event)?
        } else {
            self.insert(event, account, account_name)?;
            Outcome::Created
        };
        self.created += u64::from(outcome == Outcome::Created);
        self.without_start += u64::from(outcome == Outcome::Created && event.starts_at.is_none());
        self.updated += u64::from(outcome == Outcome::Updated);
        Ok(outcome)
    }

    /// Import notes about updated events and missing starts.
    pub fn notes(&self) -> Vec<String> {
        let updated = (self.updated > 0).then(|| format!("{} existing events were updated.", self.updated));
        let without_start = (self.without_start > 0).then(|| {
            format!(
                "Of {} events no start is stated that can be read: they start when they were imported.",
                self.without_start
            )
        });
        updated.into_iter().chain(without_start).collect()
    }

    fn find(&self, event: &Event, account: Uuid) -> Result<Option<StoredEvent>, StoreError> {
        let rows = || {
            let of_account = events::cloud_account_id.eq(Id::new(account));
            self.transaction.query::<StoredEvent>().filter(of_account)
        };
        let found = rows().filter(events::finding_id.eq(&*event.finding_id)).first()?;
        match event.fingerprint.as_deref().filter(|_| event.source != CLUSTER) {
            Some(fingerprint) if found.is_none() => {
                let open = events::fingerprint.eq(fingerprint).and(events::status.eq(StoredStatus::Firing));
                // Few firing events have the fingerprint. Sorting in the query would make the database scan all events of the account for the newest.
                let open = rows().filter(open).rows()?;
                Ok(open.into_iter().max_by_key(|event| event.starts_at.map(Timestamp::micros)))
            }
            _ => Ok(found),
        }
    }

    fn update(&self, held: &StoredEvent, event: &Event) -> Result<Outcome, StoreError> {
        // An ended event remains ended: the source repeats itself, or messages arrived out of order.
        if held.status != Some(StoredStatus::Firing) && event.status == EventStatus::Firing {
            return Ok(Outcome::Unchanged);
        }
        let (labels, evidences) = (Json::Object(event.labels.clone()), evidences(event));
        if held.is_same_as(event, &labels, &evidences) {
            return Ok(Outcome::Unchanged);
        }
        let (labels, evidences) = (labels.to_string(), evidences.to_string());
        let (id, held_end) = (held.id.uuid(), held.ends_at.map(Timestamp::micros));
        let ends_at = self.ends_at(event).or(held_end);
        if let Some(journal) = &self.journal {
            journal.updates(TABLE, id, &CHANGED)?;
        }
        let set = [
            ("title", event.title.as_str().into()),
            ("description", event.description.as_deref().into()),
            ("priority", priority(event).into()),
            ("labels", ValueRef::Json(&labels)),
            ("evidences", ValueRef::Json(&evidences)),
            ("status", status(event).into()),
            ("ends_at", ends_at.map_or(ValueRef::Null, ValueRef::Timestamp)),
            ("updated_at", ValueRef::Timestamp(self.now)),
        ];
        self.transaction.update(TABLE, &[eq("id", id)], &set)?;
        Ok(Outcome::Updated)
    }

    /// The end that the source states. For an ended event without one, the current time.
    fn ends_at(&self, event: &Event) -> Option<i64> {
        event.ends_at.or((event.status != EventStatus::Firing).then_some(self.now))
    }

    fn insert(&self, event: &Event, account: Uuid, account_name: &str) -> Result<(), StoreError> {
        let account_text = account.to_string();
        let id = ids::derived(self.tenant, "event", &[&account_text, &event.finding_id]);
        let (labels, evidences) =
            (Json::Object(event.labels.clone()).to_string(), evidences(event).to_string());
        let cluster = event.labels.get("cluster").and_then(Json::as_str).unwrap_or(account_name);
        let ends_at = self.ends_at(event).filter(|_| event.status != EventStatus::Firing);
        if let Some(journal) = &self.journal {
            journal.inserted(TABLE, Value::Uuid(id))?;
        }
        self.transaction.insert(
            TABLE,
            &[
                ("id", id.into()),
                ("cloud_account_id", account.into()),
                ("aggregation_key", event.kind.as_str().into()),
                ("cluster", cluster.into()),
                ("description", event.description.as_deref().into()),
                ("ends_at", ends_at.map_or(ValueRef::Null, ValueRef::Timestamp)),
                ("evidences", ValueRef::Json(&evidences)),
                ("finding_id", event.finding_id.as_str().into()),
                ("finding_type", if event.source == CLUSTER { "event" } else { "alert" }.into()),
                ("fingerprint", event.fingerprint.as_deref().into()),
                ("labels", ValueRef::Json(&labels)),
                ("priority", priority(event).into()),
                ("source", event.source.into()),
                ("starts_at", ValueRef::Timestamp(event.starts_at.unwrap_or(self.now))),
                ("status", status(event).into()),
                ("subject_name", event.subject_name.as_deref().unwrap_or(&event.kind).into()),
                ("subject_namespace", event.subject_namespace.as_deref().into()),
                ("subject_node", event.subject_node.as_deref().into()),
                ("subject_type", event.subject_kind.as_deref().into()),
                ("title", event.title.as_str().into()),
            ],
        )
    }
}

/// The table requires a priority; `evidences` records that the source stated none.
fn priority(event: &Event) -> &'static str {
    match event.severity {
        Some(EventSeverity::Debug) => "DEBUG",
        Some(EventSeverity::Info) => "INFO",
        Some(EventSeverity::Low) | None => "LOW",
        Some(EventSeverity::Medium) => "MEDIUM",
        Some(EventSeverity::High) => "HIGH",
    }
}

fn status(event: &Event) -> &'static str {
    match event.status {
        EventStatus::Firing => "FIRING",
        EventStatus::Resolved => "RESOLVED",
        EventStatus::Closed => "CLOSED",
    }
}

fn evidences(event: &Event) -> Json {
    let mut evidence: Map<String, Json> = event.evidence.clone();
    if event.severity.is_none() {
        evidence.insert("severity".to_owned(), "unset: the source states none".into());
    }
    if event.starts_at.is_none() {
        evidence.insert("start".to_owned(), "not stated: when it came in".into());
    }
    Json::Array(vec![evidence.into()])
}
