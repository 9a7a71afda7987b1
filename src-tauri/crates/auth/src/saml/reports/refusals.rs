//! Refused sign-ins with their cause: stored, listed, and shown for a while to the person who was refused.

use crate::saml::{Cause, Rejection};
use crate::secret::new_id;
use crate::security_log::{self, Event, note};
use crate::{SECOND, time, user};
use catalogue::{Caller, ValueRef};
use model::tables::sign_in_refusal;
use model::{Read as _, SignInRefusal, ZonedTimestamp, row};
use rand::CryptoRng;
use schemars::JsonSchema;
use serde::Serialize;
use store::{Store, StoreError, Transaction, eq, le, lt};
use uuid::Uuid;

/// How long a refused person may read the reason without signing in: fifteen minutes, in µs.
const READABLE: i64 = 900 * SECOND;
/// How long refusals are listed: ninety days, in µs.
const LISTED: i64 = 90 * 86_400 * SECOND;
/// Maximum number of stored refusals. Anybody who can reach the service can cause refusals without limit.
const MOST: u64 = 10_000;
/// Number of oldest refusals deleted at a time, to avoid searching for the oldest at each refusal.
const FORGOTTEN_AT_ONCE: u64 = 500;

/// Records a refused sign-in with its event. Returns the id under which the reason can be read.
pub fn refuse(
    store: &Store,
    refused: &Rejection,
    email: Option<&str>,
    is_test: bool,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<Uuid, StoreError> {
    let id = new_id(rng);
    store.transaction(&Caller::system(), |rows| {
        forget(rows, now)?;
        rows.insert(
            "sign_in_refusal",
            &[
                ("id", id.into()),
                ("created_at", ValueRef::Timestamp(now)),
                ("cause", refused.cause.code().into()),
                ("message", refused.cause.message().into()),
                ("expected", refused.expected.as_deref().into()),
                ("received", refused.received.as_deref().into()),
                ("email", email.into()),
                ("is_test", is_test.into()),
            ],
        )?;
        let about = match email {
            Some(email) => user::find(rows, email)?.map(|user| user.id),
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

row! { struct At from sign_in_refusal { created_at } }

/// Deletes old events and refusals, and the oldest refusals beyond the maximum with their events.
fn forget(rows: &Transaction<'_>, now: i64) -> Result<(), StoreError> {
    security_log::forget(rows, now)?;
    rows.delete("sign_in_refusal", &[lt("created_at", ValueRef::Timestamp(now - security_log::LIFETIME))])?;
    let count = rows.query::<At>().count()?;
    if count < MOST {
        return Ok(());
    }
    let oldest = rows.query::<At>().order(sign_in_refusal::created_at.asc());
    if let Some(last) = oldest.offset(count - MOST + FORGOTTEN_AT_ONCE - 1).first()? {
        rows.delete("sign_in_refusal", &[le("created_at", last.created_at)])?;
        rows.delete("security_event", &[eq("kind", "refused"), le("created_at", last.created_at)])?;
    }
    Ok(())
}

/// A refused sign-in, with the details for administrators.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "SignInRefusal")]
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

impl From<SignInRefusal> for Refusal {
    fn from(row: SignInRefusal) -> Self {
        let known = Cause::find(&row.cause);
        Self {
            id: row.id.to_string(),
            at: time::text(row.created_at.micros()),
            title: known.map_or_else(|| row.cause.clone(), |cause| cause.heading().to_owned()),
            remedy: known.map(|cause| cause.remedy().to_owned()).unwrap_or_default(),
            cause: row.cause,
            message: row.message,
            expected: row.expected,
            received: row.received,
            email: row.email,
            reference: reference("SI", row.id.uuid()),
            test: row.is_test,
        }
    }
}

/// The newest refusals, at most `limit`.
pub fn refusals(store: &Store, limit: u64, now: i64) -> Result<Vec<Refusal>, StoreError> {
    let found = store.snapshot(&Caller::system(), |rows| {
        rows.query::<SignInRefusal>()
            .filter(sign_in_refusal::created_at.ge(ZonedTimestamp(now - LISTED)))
            .order(sign_in_refusal::created_at.desc())
            .limit(limit)
            .rows()
    })?;
    Ok(found.into_iter().map(Refusal::from).collect())
}

/// A refusal of the last quarter of an hour, for the person who was redirected to its id.
pub fn recent_refusal(store: &Store, id: Uuid, now: i64) -> Result<Option<Refusal>, StoreError> {
    let found = store.snapshot(&Caller::system(), |rows| rows.find::<SignInRefusal>(id))?;
    let is_recent = |row: &SignInRefusal| row.created_at.micros() >= now - READABLE;
    Ok(found.filter(is_recent).map(Refusal::from))
}

/// A reference that is easy to read aloud: `SI-7KQ2M9XD`.
pub fn reference(kind: &str, id: Uuid) -> String {
    const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let letters = id.as_bytes()[..8].iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)]));
    format!("{kind}-{}", letters.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::Counting;

    #[test]
    fn of_refusals_without_end_the_newest_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let catalogue = testkit::product::catalogue();
        let store = Store::open(&folder.path().join("a.db"), catalogue).unwrap();
        let mut rng = Counting(0);
        let now = 1_795_156_680_000_000;
        let most = i64::try_from(MOST).unwrap();
        store
            .transaction(&Caller::system(), |rows| {
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
        let refused = Rejection::new(Cause::Unsigned);
        let newest = refuse(&store, &refused, None, false, now + most, &mut rng).unwrap();
        let left = store.snapshot(&Caller::system(), |rows| rows.count("sign_in_refusal", &[])).unwrap();
        assert_eq!(left, MOST - FORGOTTEN_AT_ONCE + 1);
        let listed = refusals(&store, 1, now + most).unwrap();
        assert_eq!(listed[0].id, newest.to_string());
    }

    #[test]
    fn what_is_older_than_400_days_goes() {
        let folder = tempfile::tempdir().unwrap();
        let catalogue = testkit::product::catalogue();
        let store = Store::open(&folder.path().join("a.db"), catalogue).unwrap();
        let (mut rng, refused) = (Counting(0), Rejection::new(Cause::Unsigned));
        let now = 1_795_156_680_000_000;
        refuse(&store, &refused, None, false, now, &mut rng).unwrap();
        refuse(&store, &refused, None, false, now + security_log::LIFETIME + 1, &mut rng).unwrap();
        let count = |table| store.snapshot(&Caller::system(), |rows| rows.count(table, &[])).unwrap();
        assert_eq!((count("sign_in_refusal"), count("security_event")), (1, 1));
    }
}
