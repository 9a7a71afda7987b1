//! Sends new notices to the desktop window, each once: those that its user may read.

use crate::background::chores::{AGAIN_AFTER, pause, until};
use auth::tenants;
use operations::notices::{RaisedNotice, RaisedNotices, raised_since};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use store::{Store, StoreError};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use uuid::Uuid;

/// Maximum age of a notice to be shown as new, µs. A maintenance window takes a week at most.
const NEWS: i64 = 8 * 86_400_000_000;
/// Tables whose changes may produce a notice to show.
const TABLES: [&str; 2] = ["notice", "notice_window"];

/// The channel of notices to the window. Clones share it.
#[derive(Clone, Default)]
pub struct DesktopNotices(Arc<Mutex<Option<UnboundedSender<Vec<RaisedNotice>>>>>);

impl DesktopNotices {
    /// Receives every notice from now on, in groups that were found together. Replaces the previous receiver.
    pub fn listen(&self) -> UnboundedReceiver<Vec<RaisedNotice>> {
        let (sender, receiver) = unbounded_channel();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        receiver
    }

    fn tell(&self, notices: Vec<RaisedNotice>) {
        if let Some(listener) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            // The receiver is gone if the window was closed.
            let _ = listener.send(notices);
        }
    }
}

/// The notices of a user: those already shown, and the time from which they count as new.
struct NoticeFeed {
    store: Store,
    /// The user of the desktop.
    user: Uuid,
    /// µs since 1970 UTC.
    since: i64,
    ids: HashSet<Uuid>,
}

impl NoticeFeed {
    /// The notices that were not sent yet, and when to check again even if nothing is written. Blocks the thread.
    fn next(&mut self) -> Result<RaisedNotices, StoreError> {
        let since = self.since.max(self.store.now() - NEWS);
        let mut news = RaisedNotices::default();
        for person in tenants::of(&self.store, self.user)? {
            let found = raised_since(&self.store, &person.caller(), since)?;
            news.notices.extend(found.notices.into_iter().filter(|notice| self.ids.insert(notice.id)));
            news.next_check_at = news.next_check_at.into_iter().chain(found.next_check_at).min();
        }
        Ok(news)
    }
}

/// Sends notices of the user's tenants that are raised from now on, until the service stops.
pub fn follow(
    store: Store,
    user: Uuid,
    desktop: DesktopNotices,
    stopping: watch::Receiver<bool>,
) -> impl Future<Output = ()> + Send {
    let feed = NoticeFeed { since: store.now(), user, store, ids: HashSet::new() };
    tell_on(feed, desktop, stopping)
}

async fn tell_on(mut feed: NoticeFeed, desktop: DesktopNotices, mut stopping: watch::Receiver<bool>) {
    let store = feed.store.clone();
    let tables = TABLES.iter().filter_map(|table| store.catalogue().find(table)).collect();
    let mut written = store.watch(tables);
    loop {
        written.mark();
        let looked = tokio::task::spawn_blocking(move || {
            let news = feed.next();
            (feed, news)
        });
        let Ok((same, news)) = looked.await else { return };
        feed = same;
        let rest = match news {
            Ok(news) => {
                if !news.notices.is_empty() {
                    desktop.tell(news.notices);
                }
                news.next_check_at.map(|next| until(next, store.now()))
            }
            Err(error) => {
                tracing::warn!("notices were not told on this desktop and are looked for again: {error}");
                Some(AGAIN_AFTER)
            }
        };
        if !pause(rest, &mut written, &mut stopping).await {
            return;
        }
    }
}
