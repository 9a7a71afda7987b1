//! What happened to the rights of people: sign-ins, refusals with their cause, changes of roles and settings.

use crate::person::text;
use crate::saml::time;
use crate::saml::{Cause, Refused};
use crate::secret::new_id;
use crate::{AccountError, SECOND};
use catalogue::{Caller, ValueRef};
use rand::CryptoRng;
use serde::Serialize;
use serde_json::Value;
use store::{Store, StoreError, Transaction, eq, ge, le, lt};
use uuid::Uuid;

/// How long somebody who was refused may read why, without signing in: fifteen minutes, in µs.
const READABLE: i64 = 900 * SECOND;
/// How long events and refusals are kept: 400 days, in µs.
const KEPT: i64 = 400 * 86_400 * SECOND;

/// How many refusals are kept. Whoever reaches the service can be refused as often as they like.
const MOST_REFUSALS: u64 = 10_000;
/// The oldest of them that go at once, so that not every refusal looks for the oldest.
const FORGOTTEN_AT_ONCE: u64 = 500;

/// One event to write down.
#[derive(Debug, Clone)]
pub struct Event<'a> {
    pub kind: &'static str,
    pub who: Option<Uuid>,
    pub about: Option<Uuid>,
    pub cause: Option<&'a str>,
    pub text: String,
    /// Without secrets.
    pub detail: Value,
}

/// Writes an event down.
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
            ("cause", event.cause.map_or(ValueRef::Null, ValueRef::Text)),
            ("text", event.text.as_str().into()),
            ("detail", ValueRef::Json(if event.detail.is_null() { "{}" } else { &detail })),
        ],
    )
}

/// Writes down that a sign-in was refused, with its event; the id under which the reason can be read.
pub fn refuse(
    store: &Store,
    refused: &Refused,
    email: Option<&str>,
    is_test: bool,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<Uuid, StoreError> {
    let id = new_id(rng);
    let or_null = |text: &Option<String>| text.clone();
    let (expected, received) = (or_null(&refused.expected), or_null(&refused.received));
    store.transaction(&Caller::house(), |rows| {
        forget(rows, now)?;
        rows.insert(
            "sign_in_refusal",
            &[
                ("id", id.into()),
                ("created_at", ValueRef::Timestamp(now)),
                ("cause", refused.cause.code().into()),
                ("message", refused.cause.message().into()),
                ("expected", expected.as_deref().map_or(ValueRef::Null, ValueRef::Text)),
                ("received", received.as_deref().map_or(ValueRef::Null, ValueRef::Text)),
                ("email", email.map_or(ValueRef::Null, ValueRef::Text)),
                ("is_test", is_test.into()),
            ],
        )?;
        let about = match email {
            Some(email) => crate::user::find(rows, email)?.map(|user| user.id),
            None => None,
        };
        let event = Event {
            kind: "refused",
            who: None,
            about,
            cause: Some(refused.cause.code()),
            text: refused.cause.message().to_owned(),
            detail: serde_json::json!({ "refusal": id.to_string(), "test": is_test }),
        };
        note(rows, &event, now, rng)?;
        Ok(id)
    })
}

/// Makes room: what is old goes, and of refusals what is too many, with their events.
fn forget(rows: &Transaction<'_>, now: i64) -> Result<(), StoreError> {
    for table in ["sign_in_refusal", "security_event"] {
        rows.delete(table, &[lt("created_at", ValueRef::Timestamp(now - KEPT))])?;
    }
    let count = rows.count("sign_in_refusal", &[])?;
    if count < MOST_REFUSALS {
        return Ok(());
    }
    let mut times: Vec<i64> = rows
        .select("sign_in_refusal", &["created_at"], &[])?
        .iter()
        .filter_map(|row| row[0].as_int())
        .collect();
    times.sort_unstable();
    let last = usize::try_from(count - MOST_REFUSALS + FORGOTTEN_AT_ONCE).unwrap_or(usize::MAX);
    if let Some(last) = times.get(last.min(times.len()) - 1) {
        let until = ValueRef::Timestamp(*last);
        rows.delete("sign_in_refusal", &[le("created_at", until)])?;
        rows.delete("security_event", &[eq("kind", "refused"), le("created_at", until)])?;
    }
    Ok(())
}

/// A refusal as administrators see it.
#[derive(Debug, Clone, Serialize)]
pub struct Refusal {
    pub id: String,
    pub at: String,
    pub cause: String,
    pub title: String,
    pub message: String,
    pub expected: Option<String>,
    pub received: Option<String>,
    pub remedy: String,
    pub email: Option<String>,
    pub reference: String,
    pub test: bool,
}

const COLUMNS: [&str; 8] =
    ["id", "created_at", "cause", "message", "expected", "received", "email", "is_test"];

fn refusal(row: &[catalogue::Value]) -> Option<Refusal> {
    let id = row[0].as_uuid()?;
    let cause = text(&row[2]);
    let known = Cause::find(&cause);
    let optional = |cell: &catalogue::Value| cell.as_text().map(str::to_owned);
    Some(Refusal {
        id: id.to_string(),
        at: time::text(row[1].as_int()?),
        title: known.map_or_else(|| cause.clone(), |cause| cause.heading().to_owned()),
        remedy: known.map(|cause| cause.remedy().to_owned()).unwrap_or_default(),
        cause,
        message: text(&row[3]),
        expected: optional(&row[4]),
        received: optional(&row[5]),
        email: optional(&row[6]),
        reference: reference("SI", id),
        test: row[7] == catalogue::Value::Bool(true),
    })
}

/// The newest refusals, at most `limit`.
pub fn refusals(store: &Store, limit: usize, now: i64) -> Result<Vec<Refusal>, StoreError> {
    let since = now - 90 * 86_400 * SECOND;
    let conditions = [ge("created_at", ValueRef::Timestamp(since))];
    let mut found =
        store.snapshot(&Caller::house(), |rows| rows.select("sign_in_refusal", &COLUMNS, &conditions))?;
    found.sort_by_key(|row| std::cmp::Reverse(row[1].as_int()));
    Ok(found.iter().filter_map(|row| refusal(row)).take(limit).collect())
}

/// A refusal of the last quarter of an hour, for whoever was sent to its id.
pub fn recent_refusal(store: &Store, id: Uuid, now: i64) -> Result<Option<Refusal>, StoreError> {
    let conditions = [eq("id", id), ge("created_at", ValueRef::Timestamp(now - READABLE))];
    let found =
        store.snapshot(&Caller::house(), |rows| rows.select("sign_in_refusal", &COLUMNS, &conditions))?;
    Ok(found.first().and_then(|row| refusal(row)))
}

/// What people read to each other: `SI-7KQ2M9XD`.
pub fn reference(kind: &str, id: Uuid) -> String {
    const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let letters = id.as_bytes()[..8].iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)]));
    format!("{kind}-{}", letters.collect::<String>())
}

/// One event as administrators see it.
#[derive(Debug, Clone, Serialize)]
pub struct Noted {
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
pub fn events(store: &Store, before: i64, limit: usize) -> Result<Vec<Noted>, AccountError> {
    store.snapshot(&Caller::house(), |rows| {
        let columns = ["id", "created_at", "kind", "who", "about", "cause", "text", "detail"];
        let mut found =
            rows.select("security_event", &columns, &[lt("created_at", ValueRef::Timestamp(before))])?;
        found.sort_by_key(|row| std::cmp::Reverse(row[1].as_int()));
        let name = |cell: &catalogue::Value| -> Result<Option<String>, StoreError> {
            let Some(id) = cell.as_uuid() else { return Ok(None) };
            Ok(rows.select("users", &["username"], &[eq("id", id)])?.first().map(|row| text(&row[0])))
        };
        let mut events = Vec::new();
        for row in found.iter().take(limit) {
            let (Some(id), Some(at)) = (row[0].as_uuid(), row[1].as_int()) else { continue };
            events.push(Noted {
                id: id.to_string(),
                at: time::text(at),
                kind: text(&row[2]),
                who: name(&row[3])?,
                about: name(&row[4])?,
                cause: row[5].as_text().map(str::to_owned),
                text: text(&row[6]),
                detail: serde_json::from_str(&text(&row[7])).unwrap_or_default(),
            });
        }
        Ok(events)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::Counting;

    #[test]
    fn of_refusals_without_end_the_newest_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let catalogue = std::sync::Arc::new(crate::tests::catalogue());
        let store = Store::open(&folder.path().join("a.db"), catalogue).unwrap();
        let mut rng = Counting(0);
        let now = 1_795_156_680_000_000;
        let most = i64::try_from(MOST_REFUSALS).unwrap();
        store
            .transaction(&Caller::house(), |rows| {
                for n in 0..most {
                    let row = [
                        ("id", new_id(&mut rng).into()),
                        ("created_at", ValueRef::Timestamp(now + n)),
                        ("cause", "unsigned".into()),
                        ("message", "words".into()),
                    ];
                    rows.insert("sign_in_refusal", &row)?;
                }
                Ok::<_, StoreError>(())
            })
            .unwrap();
        let refused = Refused::new(Cause::Unsigned);
        let newest = refuse(&store, &refused, None, false, now + most, &mut rng).unwrap();
        let left = store.snapshot(&Caller::house(), |rows| rows.count("sign_in_refusal", &[])).unwrap();
        assert_eq!(left, MOST_REFUSALS - FORGOTTEN_AT_ONCE + 1);
        let listed = refusals(&store, 1, now + most).unwrap();
        assert_eq!(listed[0].id, newest.to_string());
    }

    #[test]
    fn what_is_older_than_400_days_goes() {
        let folder = tempfile::tempdir().unwrap();
        let catalogue = std::sync::Arc::new(crate::tests::catalogue());
        let store = Store::open(&folder.path().join("a.db"), catalogue).unwrap();
        let (mut rng, refused) = (Counting(0), Refused::new(Cause::Unsigned));
        let now = 1_795_156_680_000_000;
        refuse(&store, &refused, None, false, now, &mut rng).unwrap();
        refuse(&store, &refused, None, false, now + KEPT + 1, &mut rng).unwrap();
        let count = |table| store.snapshot(&Caller::house(), |rows| rows.count(table, &[])).unwrap();
        assert_eq!((count("sign_in_refusal"), count("security_event")), (1, 1));
    }
}
