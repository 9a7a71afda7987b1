//! Sessions: a browser that is signed in. The cookie holds the secret, the database its fingerprint.

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

/// How long a session lasts unless the settings say otherwise.
pub const LIFETIME: Duration = Duration::from_hours(24);

/// `seen_at` is as exact as this.
const SEEN_EVERY: i64 = 60 * SECOND;

/// A session just found by its secret.
#[derive(Debug)]
pub struct LiveSession {
    pub id: Uuid,
    pub person: Person,
    /// The session was last noted as seen more than a minute ago: [`touch`] it.
    pub is_stale: bool,
}

/// A session that begins. It counts from now on, whenever it is [kept](keep).
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

/// How long the session of a window lasts at most: the longest that browsers keep a cookie. It ends when another window opens.
const OF_WINDOW: Duration = Duration::from_hours(400 * 24);

/// How somebody signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInMethod {
    /// By opening the window around the service: there is one, and who is in front of it needs nothing else to be let in.
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

    /// How long such a session lasts, where others last `usual`.
    pub fn lifetime(self, usual: Duration) -> Duration {
        if self == Self::Window { OF_WINDOW } else { usual }
    }
}

/// Longest name of a browser that is kept.
const AGENT_LETTERS: usize = 200;

/// Begins a session; its secret, which is found again in [`NewSession`] by [`NewSession::is_of`]. `agent` is what the browser calls
/// itself.
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
    /// Whose it is.
    pub fn user(&self) -> Uuid {
        self.user
    }

    /// Whether this is the session of that secret.
    pub fn is_of(&self, secret: &str) -> bool {
        self.token_hash == fingerprint(secret)
    }

    /// The session, if it still counts, without its being kept.
    pub fn find(&self, store: &Store, now: i64) -> Result<Option<LiveSession>, StoreError> {
        if self.expires_at <= now {
            return Ok(None);
        }
        let found = person::find(store, self.user, self.tenant);
        answer(found.map(|person| Some(LiveSession { id: self.id, person, is_stale: false })))
    }
}

/// Writes a session down. Sessions that have expired are swept away on the way, and by a window's that of the window before it. Waits for whoever is
/// writing.
pub fn keep(store: &Store, begun: &NewSession) -> Result<(), StoreError> {
    store.concurrent_transaction(&Caller::house(), |rows| {
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

/// The session of that secret; `None` when it never was, has expired, was not used for as long as `idle` (a window may stand open unused), was ended,
/// or its user may not sign in any more.
pub fn find(
    store: &Store,
    secret: &str,
    idle: Duration,
    now: i64,
) -> Result<Option<LiveSession>, StoreError> {
    let idle = i64::try_from(idle.as_micros()).unwrap_or(i64::MAX);
    let found = store.snapshot(&Caller::house(), |rows| {
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

/// Who may not sign in has no session.
fn answer(found: Result<Option<LiveSession>, SignInError>) -> Result<Option<LiveSession>, StoreError> {
    match found {
        Ok(found) => Ok(found),
        Err(SignInError::Store(error)) => Err(error),
        Err(_) => Ok(None),
    }
}

/// Notes that a session was used just now. Waits for whoever is writing; nothing depends on it.
pub fn touch(store: &Store, id: Uuid, now: i64) -> Result<(), StoreError> {
    store.concurrent_transaction(&Caller::house(), |rows| {
        rows.update("session", &[eq("id", id)], &[("seen_at", ValueRef::Timestamp(now))])?;
        Ok(())
    })
}

/// Ends a session; ending what has ended is fine. Waits for whoever is writing.
pub fn end(store: &Store, id: Uuid) -> Result<(), StoreError> {
    store.concurrent_transaction(&Caller::house(), |rows| {
        rows.delete("session", &[eq("id", id)])?;
        Ok(())
    })
}

/// A session as people see it.
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

/// The sessions that still count, of one tenant or all, and of one user or all; last used first.
pub fn list(
    store: &Store,
    tenant: Option<Uuid>,
    user: Option<Uuid>,
    now: i64,
) -> Result<Vec<SessionEntry>, StoreError> {
    store.snapshot(&Caller::house(), |rows| {
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
    let found = store.snapshot(&Caller::house(), |rows| {
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
        // Every third lasts an hour, the others a day.
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
