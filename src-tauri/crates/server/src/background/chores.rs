//! What the service does by itself: snoozed events wake in time, bulk operations go on, documents are read. Nothing is looked for in vain: it is done when
//! the database says so, that is when it is due or when rows that tell of it are written.

use crate::clock;
use std::sync::Arc;
use std::time::Duration;
use store::{Store, Watch};
use tokio::sync::watch;

/// Writes that come one after another are looked at together.
const GATHERED: Duration = Duration::from_millis(100);
/// After a failure, such as a database an import holds, it is tried again.
pub const AGAIN_AFTER: Duration = Duration::from_mins(1);

/// A machine that sleeps stops timers but not the time: so none is longer.
const LONGEST: Duration = Duration::from_hours(1);

/// Does what is to be done until the service stops. A step that is cut off is done again at the next start.
pub async fn run(store: Store, models: Arc<dyn operations::Models>, mut stopping: watch::Receiver<bool>) {
    let tables = operations::CHORES.iter().filter_map(|table| store.catalogue().find(table)).collect();
    let mut written = store.watch_own(tables);
    loop {
        written.mark();
        let step = tokio::task::spawn_blocking({
            let (store, models) = (store.clone(), Arc::clone(&models));
            move || operations::chores(&store, models.as_ref())
        });
        let rest = match step.await {
            Ok(Ok(next)) => next.map(|next| until(next, clock::now())),
            Ok(Err(error)) => {
                tracing::warn!("what the service does by itself failed and is tried again: {error}");
                Some(AGAIN_AFTER)
            }
            Err(error) => {
                tracing::error!("what the service does by itself ended: {error}");
                return;
            }
        };
        if !pause(rest, &mut written, &mut stopping).await {
            return;
        }
    }
}

/// Waits until `rest` is over or one of the tables is written; false when the service stops.
pub async fn pause(
    rest: Option<Duration>,
    written: &mut Watch,
    stopping: &mut watch::Receiver<bool>,
) -> bool {
    let due = async {
        match rest {
            Some(rest) => tokio::time::sleep(rest).await,
            None => std::future::pending().await,
        }
    };
    let told = async {
        written.changed().await;
        tokio::time::sleep(GATHERED).await;
    };
    tokio::select! {
        _ = stopping.wait_for(|stop| *stop) => false,
        () = due => true,
        () = told => true,
    }
}

/// How long it is until `next`, at most an hour; both µs since 1970 UTC.
pub fn until(next: i64, now: i64) -> Duration {
    Duration::from_micros(u64::try_from(next - now).unwrap_or_default()).min(LONGEST)
}
