//! Concurrency limits of a user: GraphQL requests in progress, and open WebSocket connections.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

/// How long a request waits for a permit.
pub const PATIENCE: Duration = Duration::from_secs(2);
/// Number of users at which unused entries are removed.
const REMEMBERED: usize = 256;

/// The permits of each user. A permit lasts until it is dropped.
pub struct ConcurrencyLimiter {
    at_once: usize,
    users: Mutex<HashMap<Uuid, Weak<Semaphore>>>,
}

/// All permits of the user are taken, and none became free in time.
#[derive(Debug, PartialEq, Eq)]
pub struct LimitReached;

impl ConcurrencyLimiter {
    /// `at_once` permits for each user.
    pub fn new(at_once: usize) -> Self {
        Self { at_once, users: Mutex::default() }
    }

    /// Waits for a permit of the user, for at most `patience`.
    pub async fn take(&self, user: Uuid, patience: Duration) -> Result<OwnedSemaphorePermit, LimitReached> {
        match tokio::time::timeout(patience, self.wait(user)).await {
            Ok(turn) => turn,
            Err(_) => Err(LimitReached),
        }
    }

    /// Waits for a permit of the user.
    pub async fn wait(&self, user: Uuid) -> Result<OwnedSemaphorePermit, LimitReached> {
        self.of(user).acquire_owned().await.map_err(|_| LimitReached)
    }

    /// A permit, if the user has one left now.
    pub fn take_now(&self, user: Uuid) -> Result<OwnedSemaphorePermit, LimitReached> {
        self.of(user).try_acquire_owned().map_err(|_| LimitReached)
    }

    fn of(&self, user: Uuid) -> Arc<Semaphore> {
        let mut users = self.users.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turns) = users.get(&user).and_then(Weak::upgrade) {
            return turns;
        }
        if users.len() >= REMEMBERED {
            users.retain(|_, turns| turns.strong_count() > 0);
        }
        let turns = Arc::new(Semaphore::new(self.at_once));
        users.insert(user, Arc::downgrade(&turns));
        turns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_user_has_as_many_turns_as_allowed_and_others_do_not_wait_for_him() {
        let turns = ConcurrencyLimiter::new(2);
        let (ada, ben) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let take = |user| turns.take(user, Duration::ZERO);
        let first = take(ada).await;
        let _second = take(ada).await.unwrap();
        assert_eq!(take(ada).await.map(drop), Err(LimitReached));
        assert!(take(ben).await.is_ok());
        drop(first);
        assert!(take(ada).await.is_ok());
    }
}
