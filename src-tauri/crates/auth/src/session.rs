//! Sessions of signed-in browsers.
//!
//! The cookie holds the secret, the database its fingerprint.

use crate::person::{self, Person};
use crate::secret::{draw, fingerprint, new_id};
use crate::{SECOND, SignInError, tenant, user};
use catalogue::{Caller, ValueRef};
use model::tables::session;
use model::{Read as _, Secret, ZonedTimestamp, row};
use rand::CryptoRng;
use std::collections::HashMap;
use std::time::Duration;
use store::{Store, StoreError, eq, le};
use uuid::Uuid;

/// Lifetime of a session unless configured otherwise.
pub const LIFETIME: Duration = Duration::from_hours(24);

/// Resolution of `seen_at`.
const SEEN_EVERY: i64 = 60 * SECOND;

/// A valid session, found by its secret.
#[derive(Debug)]
pub struct LiveSession {
    pub id: Uuid,
    pub person: Person,
    /// The session was last recorded as seen more than a minute ago: call [`touch`].
    pub is_stale: bool,
}

/// A new session. It is valid at once, even before it is [stored](keep).
#[derive(Debug, Clone)]
pub struct NewSession {
    pub id: Uuid,
    token_hash: String,
    user: Uuid,
    tenant: Uuid,
    created_at: i64,
    expires_at: i64,
    way: SignInMethod,
    agent: Option<String>,
}

/// Maximum lifetime of a window's session: the longest that browsers retain a cookie. It ends when another window opens.
const OF_WINDOW: Duration = Duration::from_hours(400 * 24);

/// The method of a sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInMethod {
    /// By opening the window around the service. There is one window, and its user needs no other proof.
    Window,
    Link,
    Token,
    Password,
    Saml,
}

impl SignInMethod {
    pub fn name(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::Link => "link",
            Self::Token => "token",
            Self::Password => "password",
            Self::Saml => "saml",
        }
    }

    /// The lifetime of a session by this method; `usual` for all but windows.
    pub fn lifetime(self, usual: Duration) -> Duration {
        if self == Self::Window { OF_WINDOW } else { usual }
    }
}

/// Maximum length of a stored browser name.
const AGENT_LETTERS: usize = 200;

/// Creates a session and returns its secret; [`NewSession::is_of`] recognises the secret. `agent` is the browser's User-Agent.
pub fn begin(
    person: &Person,
    way: SignInMethod,
    agent: Option<&str>,
    lifetime: Duration,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> (String, NewSession) {
    let secret = draw(rng);
    let begun = NewSession {
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

impl NewSession {
    /// The user of the session.
    pub fn user(&self) -> Uuid {
        self.user
    }

    /// Whether this session has that secret.
    pub fn is_of(&self, secret: &str) -> bool {
        self.token_hash == fingerprint(secret)
    }

    /// The session, if it is still valid; it need not be stored.
    pub fn find(&self, store: &Store, now: i64) -> Result<Option<LiveSession>, StoreError> {
        if self.expires_at <= now {
            return Ok(None);
        }
        let found = person::find(store, self.user, self.tenant);
        answer(found.map(|person| Some(LiveSession { id: self.id, person, is_stale: false })))
    }
}

/// Stores a session. Deletes expired sessions, and for a window the session of the window before. Waits for other writers.
pub fn keep(store: &Store, begun: &NewSession) -> Result<(), StoreError> {
    store.concurrent_transaction(&Caller::system(), |rows| {
        rows.delete("session", &[le("expires_at", ValueRef::Timestamp(begun.created_at))])?;
        if begun.way == SignInMethod::Window {
            rows.delete("session", &[eq("way", SignInMethod::Window.name())])?;
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

row! { struct SessionRow from session { id, user_id, tenant_id, seen_at, expires_at, way } }

/// The session with that secret. `None` if it is unknown, expired, unused for longer than `idle` (does not apply to a window), ended, or if its
/// user may not sign in any more.
pub fn find(
    store: &Store,
    secret: &str,
    idle: Duration,
    now: i64,
) -> Result<Option<LiveSession>, StoreError> {
    let idle = i64::try_from(idle.as_micros()).unwrap_or(i64::MAX);
    let found = store.snapshot(&Caller::system(), |rows| {
        let mine = session::token_hash.eq(Secret::from(fingerprint(secret)));
        let Some(found) = rows.query::<SessionRow>().filter(mine).first()? else { return Ok(None) };
        if found.expires_at.micros() <= now {
            return Ok(None);
        }
        let unused = now.saturating_sub(found.seen_at.micros());
        if unused >= idle && found.way.as_deref() != Some(SignInMethod::Window.name()) {
            return Ok(None);
        }
        let person = person::load(rows, found.user_id.uuid(), found.tenant_id.uuid())?;
        Ok(Some(LiveSession { id: found.id.uuid(), person, is_stale: unused > SEEN_EVERY }))
    });
    answer(found)
}

/// A user who may not sign in has no session.
fn answer(found: Result<Option<LiveSession>, SignInError>) -> Result<Option<LiveSession>, StoreError> {
    match found {
        Ok(found) => Ok(found),
        Err(SignInError::Store(error)) => Err(error),
        Err(_) => Ok(None),
    }
}

/// Records that a session was used at `now`. Waits for other writers. Only the last-used time depends on it.
pub fn touch(store: &Store, id: Uuid, now: i64) -> Result<(), StoreError> {
    store.concurrent_transaction(&Caller::system(), |rows| {
        rows.update("session", &[eq("id", id)], &[("seen_at", ValueRef::Timestamp(now))])?;
        Ok(())
    })
}

/// Ends a session; not an error if it has ended already. Waits for other writers.
pub fn end(store: &Store, id: Uuid) -> Result<(), StoreError> {
    store.concurrent_transaction(&Caller::system(), |rows| {
        rows.delete("session", &[eq("id", id)])?;
        Ok(())
    })
}

/// A session as pages show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionEntry {
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

row! {
    struct OpenSession from session { id, user_id, tenant_id, way, agent, created_at, seen_at, expires_at }
}
row! { struct SessionId from session { id } }

/// The valid sessions of one tenant or of all, and of one user or of all; most recently used first.
pub fn list(
    store: &Store,
    tenant: Option<Uuid>,
    user: Option<Uuid>,
    now: i64,
) -> Result<Vec<SessionEntry>, StoreError> {
    store.snapshot(&Caller::system(), |rows| {
        let open = rows
            .query::<OpenSession>()
            .filter(session::expires_at.gt(ZonedTimestamp(now)))
            .filter_some(tenant.map(|tenant| session::tenant_id.eq(tenant)))
            .filter_some(user.map(|user| session::user_id.eq(user)))
            .order(session::seen_at.desc())
            .rows()?;
        let users = user::names(rows, open.iter().map(|row| row.user_id))?;
        let tenants: HashMap<Uuid, String> =
            tenant::all(rows)?.into_iter().map(|tenant| (tenant.id, tenant.name)).collect();
        let shown = |row: OpenSession| {
            let user = users.get(&row.user_id);
            SessionEntry {
                id: row.id.uuid(),
                user: row.user_id.uuid(),
                tenant_name: tenants.get(&row.tenant_id.uuid()).cloned().unwrap_or_default(),
                email: user.map(|user| user.username.clone()).unwrap_or_default(),
                name: user.map(|user| user.display_name.clone()).unwrap_or_default(),
                way: row.way,
                agent: row.agent,
                created_at: row.created_at.micros(),
                seen_at: row.seen_at.micros(),
                expires_at: row.expires_at.micros(),
            }
        };
        Ok(open.into_iter().map(shown).collect())
    })
}

/// The ids of all sessions of a user, in every tenant.
pub fn ids_of(store: &Store, user: Uuid) -> Result<Vec<Uuid>, StoreError> {
    let found = store.snapshot(&Caller::system(), |rows| {
        rows.query::<SessionId>().filter(session::user_id.eq(user)).rows()
    })?;
    Ok(found.into_iter().map(|row| row.id.uuid()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Fixture, NOW};
    use catalogue::Role;

    #[test]
    fn many_sessions_are_listed_last_used_first_without_those_that_have_ended() {
        let mut fixture = Fixture::new();
        let users = ["ada@example.com", "bea@example.com"].map(|email| fixture.add(email, Role::TenantAdmin));
        let people = users.map(|user| person::find(&fixture.store, user, fixture.tenant.id).unwrap());
        // Every third session lasts an hour, the others a day.
        for n in 0..300_usize {
            let lifetime = Duration::from_hours(if n % 3 == 0 { 1 } else { 24 });
            let now = NOW + i64::try_from(n * 7 % 300).unwrap() * SECOND;
            let (_, begun) =
                begin(&people[n % 2], SignInMethod::Token, None, lifetime, now, &mut fixture.rng);
            keep(&fixture.store, &begun).unwrap();
        }
        let later = NOW + 2 * 3600 * SECOND;
        let all = list(&fixture.store, Some(fixture.tenant.id), None, later).unwrap();
        assert_eq!(all.len(), 200);
        assert!(all.is_sorted_by_key(|session| std::cmp::Reverse(session.seen_at)));
        let of_ada = list(&fixture.store, None, Some(users[0]), later).unwrap();
        assert_eq!(of_ada.len(), 100);
        assert!(of_ada.iter().all(|session| session.email == "ada@example.com"));
        assert_eq!(list(&fixture.store, Some(Uuid::from_u128(7)), None, later).unwrap(), []);
        assert_eq!(ids_of(&fixture.store, users[0]).unwrap().len(), 150);
    }
}
