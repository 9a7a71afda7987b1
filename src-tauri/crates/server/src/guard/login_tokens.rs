//! Sign-in links issued by this service itself: printed when it starts, or opened by the window. Their codes exist in memory only, and each works
//! once. (Links issued by the command line come from another process and are stored in the database.)

use auth::fingerprint;
use rand::CryptoRng;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use uuid::Uuid;

/// How long an unused link works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Validity {
    /// Ten minutes, only for the user of this process: such a link may be on a command line, which every user of this computer can read.
    TenMinutes,
    /// Ten minutes, for the window that holds it. The link is not visible elsewhere, and determining the user of a connection is slow.
    Held,
    /// As long as the service runs.
    ThisRun,
}

/// The user whom a link signs in, and the tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalUser {
    pub user: Uuid,
    pub tenant: Uuid,
}

#[derive(Default)]
pub struct LoginTokens {
    /// By fingerprint of the code.
    open: Mutex<HashMap<String, Open>>,
}

#[derive(Clone, Copy)]
struct Open {
    guest: LocalUser,
    validity: Validity,
    /// µs since 1970 UTC; `None` if it does not expire.
    ends_at: Option<i64>,
}

impl Open {
    fn has_ended(self, now: i64) -> bool {
        self.ends_at.is_some_and(|ends_at| ends_at <= now)
    }
}

impl LoginTokens {
    /// Creates a link and returns its code.
    pub fn create(&self, guest: LocalUser, validity: Validity, now: i64, rng: &mut dyn CryptoRng) -> String {
        let code = auth::draw_secret(rng);
        self.expect(&code, guest, validity, now);
        code
    }

    /// Makes a code valid that was generated before.
    pub fn expect(&self, code: &str, guest: LocalUser, validity: Validity, now: i64) {
        let ends_at = match validity {
            Validity::TenMinutes | Validity::Held => Some(now + auth::one_time_code::VALIDITY),
            Validity::ThisRun => None,
        };
        let mut open = self.open();
        open.retain(|_, open| !open.has_ended(now));
        open.insert(fingerprint(code), Open { guest, validity, ends_at });
    }

    /// Consumes a code and returns the user it signs in and its validity. `None` if the code is unknown, used or expired. A code for the user of
    /// this process also counts as unknown for other users, and is not consumed.
    pub fn spend(
        &self,
        code: &str,
        now: i64,
        is_own_user: impl FnOnce() -> bool,
    ) -> Option<(LocalUser, Validity)> {
        let mut open = self.open();
        let code = fingerprint(code);
        let found = *open.get(&code)?;
        if found.validity == Validity::TenMinutes && !is_own_user() {
            return None;
        }
        open.remove(&code);
        (!found.has_ended(now)).then_some((found.guest, found.validity))
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUEST: LocalUser = LocalUser { user: Uuid::nil(), tenant: Uuid::nil() };
    const TEN_MINUTES: i64 = 600_000_000;

    #[test]
    fn a_link_works_once() {
        let links = LoginTokens::default();
        let code = links.create(GUEST, Validity::TenMinutes, 0, &mut rand::rng());
        assert_eq!(links.spend("guess", 0, || true), None);
        assert_eq!(links.spend(&code, TEN_MINUTES - 1, || true), Some((GUEST, Validity::TenMinutes)));
        assert_eq!(links.spend(&code, TEN_MINUTES - 1, || true), None);
    }

    #[test]
    fn a_link_of_the_window_is_for_its_user_alone_and_stays_when_somebody_else_tries_it() {
        let links = LoginTokens::default();
        let window = links.create(GUEST, Validity::TenMinutes, 0, &mut rand::rng());
        assert_eq!(links.spend(&window, 0, || false), None);
        assert_eq!(links.spend(&window, 0, || true), Some((GUEST, Validity::TenMinutes)));
        for (validity, name) in [(Validity::Held, "held"), (Validity::ThisRun, "printed")] {
            let code = links.create(GUEST, validity, 0, &mut rand::rng());
            assert_eq!(links.spend(&code, 0, || false), Some((GUEST, validity)), "{name}");
        }
    }

    #[test]
    fn a_link_ends_unless_it_is_the_one_of_the_start() {
        let links = LoginTokens::default();
        let short = links.create(GUEST, Validity::TenMinutes, 0, &mut rand::rng());
        let long = links.create(GUEST, Validity::ThisRun, 0, &mut rand::rng());
        let held = links.create(GUEST, Validity::Held, 0, &mut rand::rng());
        assert_eq!(links.spend(&short, TEN_MINUTES, || true), None);
        assert_eq!(links.spend(&held, TEN_MINUTES, || true), None);
        assert_eq!(links.spend(&long, 1000 * TEN_MINUTES, || true), Some((GUEST, Validity::ThisRun)));
    }
}
