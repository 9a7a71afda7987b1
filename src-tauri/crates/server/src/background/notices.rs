//! Finds and sends notices. Due times, and which server sends, are stored in the database. No connection is made for a tenant without a channel.

mod desk;

pub use desk::NoticeDesk;

use crate::background::chores::{AGAIN_AFTER, pause, until};
use crate::clock;
use operations::TaggedCharges;
use operations::notices::{self, DELIVERIES};
use operations::review::{REVIEWED, review_all};
use std::time::Duration;
use store::{Store, StoreError};
use tokio::sync::watch;

/// The table of tenants whose findings must be computed again because of new imports.
const FINDINGS_DUE: &str = "findings_due";
/// Interval of reviews without a write: bills become stale, and old notices end, by time alone.
const REVIEW_AFTER: Duration = Duration::from_hours(1);
/// Minimum time between two reviews, which groups writes in quick succession, such as those of an import.
const BETWEEN_REVIEWS: Duration = Duration::from_secs(5);

/// Computes the findings of imports where the importer did not, at a time in µs since 1970 UTC. Returns the time of the next run.
pub type LookForFindings = fn(&Store, i64) -> Result<Option<i64>, StoreError>;

/// Finds and sends due notices until the service stops.
pub async fn run(desk: NoticeDesk, take_over: LookForFindings, stopping: watch::Receiver<bool>) {
    let store = desk.store().clone();
    tokio::join!(
        review(store.clone(), stopping.clone()),
        look_for_findings(store.clone(), take_over, stopping.clone()),
        judge_changed_rules(store, stopping.clone()),
        send(desk, stopping)
    );
}

async fn review(store: Store, mut stopping: watch::Receiver<bool>) {
    let tables = REVIEWED.iter().chain(&operations::ALLOCATED);
    let tables = tables.filter_map(|table| store.catalogue().find(table)).collect();
    // The command line also imports, in a process of its own.
    let mut written = store.watch(tables);
    // First all charges, since an import may have been interrupted before its charges were tagged.
    let mut which = TaggedCharges::All;
    loop {
        written.mark();
        let rows = store.clone();
        let tagged = std::mem::replace(&mut which, TaggedCharges::OfChangedTags);
        if let Err(error) = wait(move || operations::allocate_all(&rows, tagged)).await {
            tracing::warn!("shared cost was not split anew: {error}");
        }
        let rows = store.clone();
        let rest = match wait(move || review_all(&rows)).await {
            Ok(changes) => {
                if changes != notices::Changes::default() {
                    tracing::info!(raised = changes.raised, ended = changes.ended, "notices were reviewed");
                }
                REVIEW_AFTER
            }
            Err(error) => {
                tracing::warn!("notices could not be reviewed and are tried again: {error}");
                AGAIN_AFTER
            }
        };
        if !pause(Some(rest), &mut written, &mut stopping).await {
            return;
        }
        let rested = tokio::time::sleep(BETWEEN_REVIEWS);
        tokio::select! {
            _ = stopping.wait_for(|stop| *stop) => return,
            () = rested => {}
        }
    }
}

/// Computes the findings of imports where the importer failed to do so within its time.
async fn look_for_findings(store: Store, look: LookForFindings, mut stopping: watch::Receiver<bool>) {
    let tables = store.catalogue().find(FINDINGS_DUE).into_iter().collect();
    let mut written = store.watch(tables);
    loop {
        written.mark();
        let rows = store.clone();
        let rest = match wait(move || look(&rows, rows.now())).await {
            Ok(next) => next.map(|next| until(next, store.now())),
            Err(error) => {
                tracing::warn!("what is found in imports was not looked for and is tried again: {error}");
                Some(AGAIN_AFTER)
            }
        };
        if !pause(rest, &mut written, &mut stopping).await {
            return;
        }
    }
}

/// Evaluates rules for measurements and events after the rules have changed.
async fn judge_changed_rules(store: Store, mut stopping: watch::Receiver<bool>) {
    let tables = store.catalogue().find(operations::CHANGED_RULES).into_iter().collect();
    let mut written = store.watch(tables);
    loop {
        written.mark();
        let rows = store.clone();
        let rest = match wait(move || operations::judge_changed_rules(&rows)).await {
            Ok(0) => None,
            Ok(tenants) => {
                tracing::info!(tenants, "what changed rules watch was judged");
                None
            }
            Err(error) => {
                tracing::warn!("what changed rules watch was not judged and is tried again: {error}");
                Some(AGAIN_AFTER)
            }
        };
        if !pause(rest, &mut written, &mut stopping).await {
            return;
        }
    }
}

async fn send(desk: NoticeDesk, mut stopping: watch::Receiver<bool>) {
    let store = desk.store().clone();
    let tables = DELIVERIES.iter().filter_map(|table| store.catalogue().find(table)).collect();
    let mut written = store.watch(tables);
    loop {
        written.mark();
        let begun = tokio::select! {
            _ = stopping.wait_for(|stop| *stop) => return,
            begun = send_due(&desk) => begun,
        };
        let rest = match begun {
            Ok(next) => next.map(|next| until(next, clock::now())),
            Err(error) => {
                tracing::warn!("notices could not be sent and are tried again: {error}");
                Some(AGAIN_AFTER)
            }
        };
        if !pause(rest, &mut written, &mut stopping).await {
            return;
        }
    }
}

/// Starts sending all due messages. Returns the time of the next delivery.
async fn send_due(desk: &NoticeDesk) -> Result<Option<i64>, StoreError> {
    while desk.deliver_next().await? {}
    let store = desk.store().clone();
    wait(move || notices::next(&store)).await
}

/// Runs blocking work off the threads that answer requests.
async fn wait<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let ended = |error: tokio::task::JoinError| StoreError::Code(error.to_string().into());
    tokio::task::spawn_blocking(work).await.map_err(ended)?
}
