//! Sessions: a browser that is signed in. The cookie holds the secret, the database its fingerprint.

use crate::household;
use crate::person::{self, Person};
use crate::secret::{draw, fingerprint, new_id};
use crate::{SECOND, SignInError};
use catalogue::{Caller, ValueRef};
use rand::CryptoRng;
use std::time::Duration;
use store::{Store, StoreError, eq, gt, le};
use uuid::Uuid;

/// How long a session lasts unless the settings say otherwise.
pub const LIFETIME: Duration = Duration::from_hours(24);

/// `seen_at` is as exact as this.
const SEEN_EVERY: i64 = 60 * SECOND;

/// A session just found by its secret.
#[derive(Debug)]
pub struct Found {
    pub id: Uuid,
    pub person: Person,
    /// The session was last noted as seen more than a minute ago: [`touch`] it.
    pub is_stale: bool,
}

/// A session that begins. It counts from now on, whenever it is [kept](keep).
#[derive(Debug, Clone)]
pub struct Begun {
    pub id: Uuid,
    token_hash: String,
    user: Uuid,
    tenant: Uuid,
    created_at: i64,
    expires_at: i64,
    way: Way,
    agent: Option<String>,
}

/// How long the session of a window lasts at most: the longest that browsers keep a cookie. It ends when another window opens.
const OF_WINDOW: Duration = Duration::from_hours(400 * 24);

/// How somebody signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// By opening the window around the service: there is one, and who is in front of it needs nothing else to be let in.
    Window,
    Link,
    Token,
    Password,
    Saml,
}

impl Way {
    pub fn name(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::Link => "link",
            Self::Token => "token",
            Self::Password => "password",
            Self::Saml => "saml",
        }
    }

    /// How long such a session lasts, where others last `usual`.
    pub fn lifetime(self, usual: Duration) -> Duration {
        if self == Self::Window { OF_WINDOW } else { usual }
    }
}

/// Longest name of a browser that is kept.
const AGENT_LETTERS: usize = 200;

/// Begins a session; its secret, which is found again in [`Begun`] by [`Begun::is_of`]. `agent` is what the browser calls
/// itself.
pub fn begin(
    person: &Person,
    way: Way,
    agent: Option<&str>,
    lifetime: Duration,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> (String, Begun) {
    let secret = draw(rng);
    let begun = Begun {
        way,
        agent: agent.map(|agent| agent.chars().take(AGENT_LETTERS).collect()),
        id: new_id(rng),
        token_hash: fingerprint(&secret),
        user: person.user,
        tenant: person.tenant,
        created_at: now,
        expires_at: now.saturating_add(i64::try_from(lifetime.as_micros()).unwrap_or(i64::MAX)),
    };
    (secret, begun)
}

impl Begun {
    /// Whose it is.
    pub fn user(&self) -> Uuid {
        self.user
    }

    /// Whether this is the session of that secret.
    pub fn is_of(&self, secret: &str) -> bool {
        self.token_hash == fingerprint(secret)
    }

    /// The session, if it still counts, without its being kept.
    pub fn find(&self, store: &Store, now: i64) -> Result<Option<Found>, StoreError> {
        if self.expires_at <= now {
            return Ok(None);
        }
        let found = person::find(store, self.user, self.tenant);
        answer(found.map(|person| Some(Found { id: self.id, person, is_stale: false })))
    }
}

/// Writes a session down. Sessions that have expired are swept away on the way, and by a window's that of the window before it. Waits for whoever is
/// writing.
pub fn keep(store: &Store, begun: &Begun) -> Result<(), StoreError> {
    store.transaction(&Caller::house(), |rows| {
        rows.delete("session", &[le("expires_at", ValueRef::Timestamp(begun.created_at))])?;
        if begun.way == Way::Window {
            rows.delete("session", &[eq("way", Way::Window.name())])?;
        }
        rows.insert(
            "session",
            &[
                ("id", begun.id.into()),
                ("token_hash", begun.token_hash.as_str().into()),
                ("user_id", begun.user.into()),
                ("tenant_id", begun.tenant.into()),
                ("created_at", ValueRef::Timestamp(begun.created_at)),
                ("seen_at", ValueRef::Timestamp(begun.created_at)),
                ("expires_at", ValueRef::Timestamp(begun.expires_at)),
                ("way", begun.way.name().into()),
                ("agent", begun.agent.as_deref().map_or(ValueRef::Null, ValueRef::Text)),
            ],
        )
    })
}

/// The session of that secret; `None` when it never was, has expired, was not used for as long as `idle` (a window may stand open unused), was ended,
/// or its user may not sign in any more.
pub fn find(store: &Store, secret: &str, idle: Duration, now: i64) -> Result<Option<Found>, StoreError> {
    let idle = i64::try_from(idle.as_micros()).unwrap_or(i64::MAX);
    let found = store.snapshot(&Caller::house(), |rows| {
        let print = fingerprint(secret);
        let columns = ["id", "user_id", "tenant_id", "seen_at", "expires_at", "way"];
        let found = rows.select("session", &columns, &[eq("token_hash", &print)])?;
        let Some(row) = found.first() else { return Ok(None) };
        let (Some(id), Some(user), Some(tenant)) = (row[0].as_uuid(), row[1].as_uuid(), row[2].as_uuid())
        else {
            return Ok(None);
        };
        if row[4].as_int().is_none_or(|expires_at| expires_at <= now) {
            return Ok(None);
        }
        let is_idle = row[3].as_int().is_none_or(|seen_at| now.saturating_sub(seen_at) >= idle);
        if is_idle && row[5].as_text() != Some(Way::Window.name()) {
            return Ok(None);
        }
        let is_stale = row[3].as_int().is_none_or(|seen_at| now.saturating_sub(seen_at) > SEEN_EVERY);
        Ok(Some(Found { id, person: person::load(rows, user, tenant)?, is_stale }))
    });
    answer(found)
}

/// Who may not sign in has no session.
fn answer(found: Result<Option<Found>, SignInError>) -> Result<Option<Found>, StoreError> {
    match found {
        Ok(found) => Ok(found),
        Err(SignInError::Store(error)) => Err(error),
        Err(_) => Ok(None),
    }
}

/// Notes that a session was used just now. Waits for whoever is writing; nothing depends on it.
pub fn touch(store: &Store, id: Uuid, now: i64) -> Result<(), StoreError> {
    store.transaction(&Caller::house(), |rows| {
        rows.update("session", &[eq("id", id)], &[("seen_at", ValueRef::Timestamp(now))])?;
        Ok(())
    })
}

/// Ends a session; ending what has ended is fine. Waits for whoever is writing.
pub fn end(store: &Store, id: Uuid) -> Result<(), StoreError> {
    store.transaction(&Caller::house(), |rows| {
        rows.delete("session", &[eq("id", id)])?;
        Ok(())
    })
}

/// A session as people see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub id: Uuid,
    pub user: Uuid,
    pub tenant_name: String,
    pub email: String,
    pub name: String,
    pub way: Option<String>,
    pub agent: Option<String>,
    pub created_at: i64,
    pub seen_at: i64,
    pub expires_at: i64,
}

/// The sessions that still count, of one tenant or all, and of one user or all; last used first.
pub fn list(
    store: &Store,
    tenant: Option<Uuid>,
    user: Option<Uuid>,
    now: i64,
) -> Result<Vec<Listed>, StoreError> {
    store.snapshot(&Caller::house(), |rows| {
        let columns = ["id", "user_id", "way", "agent", "created_at", "seen_at", "expires_at", "tenant_id"];
        let mut conditions = vec![gt("expires_at", ValueRef::Timestamp(now))];
        conditions.extend(tenant.map(|tenant| eq("tenant_id", tenant)));
        conditions.extend(user.map(|user| eq("user_id", user)));
        let mut sessions = Vec::new();
        for row in rows.select("session", &columns, &conditions)? {
            let (Some(id), Some(user)) = (row[0].as_uuid(), row[1].as_uuid()) else { continue };
            let users = rows.select("users", &["username", "display_name"], &[eq("id", user)])?;
            let name = |at: usize| users.first().map(|row| person::text(&row[at])).unwrap_or_default();
            let time = |at: usize| row[at].as_int().unwrap_or_default();
            sessions.push(Listed {
                id,
                user,
                tenant_name: household::name(rows, row[7].as_uuid())?,
                email: name(0),
                name: name(1),
                way: row[2].as_text().map(str::to_owned),
                agent: row[3].as_text().map(str::to_owned),
                created_at: time(4),
                seen_at: time(5),
                expires_at: time(6),
            });
        }
        sessions.sort_by_key(|session| std::cmp::Reverse(session.seen_at));
        Ok(sessions)
    })
}

/// The ids of all sessions of a user, in every tenant.
pub fn ids_of(store: &Store, user: Uuid) -> Result<Vec<Uuid>, StoreError> {
    let found =
        store.snapshot(&Caller::house(), |rows| rows.select("session", &["id"], &[eq("user_id", user)]))?;
    Ok(found.iter().filter_map(|row| row[0].as_uuid()).collect())
}
