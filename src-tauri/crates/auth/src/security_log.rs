//! The security log: sign-ins, refusals with their cause, changes of roles and settings.

use crate::secret::new_id;
use crate::{AccountError, SECOND, time, user};
use catalogue::{Caller, ValueRef};
use model::tables::security_event;
use model::{Id, Read as _, SecurityEvent, ZonedTimestamp};
use rand::CryptoRng;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use store::{Store, StoreError, Transaction, lt};
use uuid::Uuid;

/// How long events and refusals are retained: 400 days, in µs.
pub(crate) const LIFETIME: i64 = 400 * 86_400 * SECOND;

/// An event to record.
#[derive(Debug, Clone)]
pub struct Event<'a> {
    pub kind: &'static str,
    pub who: Option<Uuid>,
    pub about: Option<Uuid>,
    pub cause: Option<&'a str>,
    pub text: String,
    /// Must not contain secrets.
    pub detail: Value,
}

/// Records an event.
pub fn note(
    rows: &Transaction<'_>,
    event: &Event<'_>,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<(), StoreError> {
    let detail = event.detail.to_string();
    rows.insert(
        "security_event",
        &[
            ("id", new_id(rng).into()),
            ("created_at", ValueRef::Timestamp(now)),
            ("kind", event.kind.into()),
            ("who", event.who.into()),
            ("about", event.about.into()),
            ("cause", event.cause.into()),
            ("text", event.text.as_str().into()),
            ("detail", ValueRef::Json(if event.detail.is_null() { "{}" } else { &detail })),
        ],
    )
}

/// Deletes events older than [`LIFETIME`].
pub(crate) fn forget(rows: &Transaction<'_>, now: i64) -> Result<(), StoreError> {
    rows.delete("security_event", &[lt("created_at", ValueRef::Timestamp(now - LIFETIME))]).map(drop)
}

/// An entry of the security log, for administrators.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "SecurityEvent")]
pub struct EventEntry {
    pub id: String,
    pub at: String,
    pub kind: String,
    pub who: Option<String>,
    pub about: Option<String>,
    pub cause: Option<String>,
    pub text: String,
    pub detail: Value,
}

/// The newest events before a time, at most `limit`.
pub fn events(store: &Store, before: i64, limit: u64) -> Result<Vec<EventEntry>, AccountError> {
    store.snapshot(&Caller::system(), |rows| {
        let found = rows
            .query::<SecurityEvent>()
            .filter(security_event::created_at.lt(ZonedTimestamp(before)))
            .order(security_event::created_at.desc())
            .limit(limit)
            .rows()?;
        let users = user::names(rows, found.iter().flat_map(|row| [row.who, row.about]).flatten())?;
        let name = |id: Option<Id<model::User>>| id.and_then(|id| Some(users.get(&id)?.username.clone()));
        let entry = |row: SecurityEvent| EventEntry {
            id: row.id.to_string(),
            at: time::text(row.created_at.micros()),
            who: name(row.who),
            about: name(row.about),
            kind: row.kind,
            cause: row.cause,
            text: row.text,
            detail: row.detail.value(),
        };
        Ok(found.into_iter().map(entry).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Fixture, NOW};
    use catalogue::Role;

    #[test]
    fn of_many_events_the_newest_before_a_time_are_read_with_the_names_of_people() {
        let mut fixture = Fixture::new();
        let ada = fixture.add("ada@example.com", Role::TenantAdmin);
        let rng = &mut fixture.rng;
        // Written in an order other than that of their times.
        fixture
            .store
            .transaction(&Caller::system(), |rows| {
                for n in (0..2000_i64).map(|n| n * 7 % 2000) {
                    let event = Event {
                        kind: "sign_in",
                        who: Some(ada),
                        about: (n % 2 == 0).then_some(ada),
                        cause: None,
                        text: format!("event {n}"),
                        detail: Value::Null,
                    };
                    note(rows, &event, NOW + n * SECOND, rng)?;
                }
                Ok::<_, StoreError>(())
            })
            .unwrap();
        let found = events(&fixture.store, NOW + 1500 * SECOND, 3).unwrap();
        let texts: Vec<&str> = found.iter().map(|event| event.text.as_str()).collect();
        assert_eq!(texts, ["event 1499", "event 1498", "event 1497"]);
        assert_eq!(found[0].who.as_deref(), Some("ada@example.com"));
        assert_eq!((&found[0].about, found[1].about.as_deref()), (&None, Some("ada@example.com")));
        assert_eq!(events(&fixture.store, i64::MAX, 5000).unwrap().len(), 2000);
    }
}
