//! Sign-in links this service hands out itself: printed when it starts, opened by the window. Their codes are in memory
//! only; each works once. (Links of the command line come from another process and are in the database.)

use auth::fingerprint;
use rand::CryptoRng;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use uuid::Uuid;

/// Until when a link works, if nobody uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Validity {
    /// Ten minutes, for the user of this process alone: such a link may stand on a command line, which everybody on this computer can read.
    TenMinutes,
    /// Ten minutes, for the window that holds it: it stands nowhere else, and finding out whose a connection is takes long.
    Held,
    /// As long as the service runs.
    ThisRun,
}

/// Whom a link signs in, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalUser {
    pub user: Uuid,
    pub tenant: Uuid,
}

#[derive(Default)]
pub struct LoginTokens {
    /// By fingerprint.
    open: Mutex<HashMap<String, Open>>,
}

#[derive(Clone, Copy)]
struct Open {
    guest: LocalUser,
    validity: Validity,
    /// In µs; of one that ends.
    ends_at: Option<i64>,
}

impl Open {
    fn has_ended(self, now: i64) -> bool {
        self.ends_at.is_some_and(|ends_at| ends_at <= now)
    }
}

impl LoginTokens {
    /// The code of a new link.
    pub fn create(&self, guest: LocalUser, validity: Validity, now: i64, rng: &mut dyn CryptoRng) -> String {
        let code = auth::draw_secret(rng);
        self.expect(&code, guest, validity, now);
        code
    }

    /// Has a code work that was drawn before.
    pub fn expect(&self, code: &str, guest: LocalUser, validity: Validity, now: i64) {
        let ends_at = match validity {
            Validity::TenMinutes | Validity::Held => Some(now + auth::one_time_code::VALIDITY),
            Validity::ThisRun => None,
        };
        let mut open = self.open();
        open.retain(|_, open| !open.has_ended(now));
        open.insert(fingerprint(code), Open { guest, validity, ends_at });
    }

    /// Uses a code up: whom it signs in, and what kind it was. `None` when it is not one of ours, was used, or has ended. One that is for the user of
    /// this process alone is none of ours to others, and stays.
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
