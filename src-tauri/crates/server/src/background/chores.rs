//! Background tasks of the service: waking snoozed events, continuing bulk operations, reading documents. They do not poll: a task runs when the
//! time stored in the database has come, or when rows that trigger it are written.

use crate::clock;
use std::sync::Arc;
use std::time::Duration;
use store::{Store, Watch};
use tokio::sync::watch;

/// Delay that groups writes in quick succession.
const GATHERED: Duration = Duration::from_millis(100);
/// Retry delay after a failure, such as a database locked by an import.
pub const AGAIN_AFTER: Duration = Duration::from_mins(1);

/// The longest timer: a sleeping machine stops timers, but not time.
const LONGEST: Duration = Duration::from_hours(1);

/// Runs the tasks until the service stops. An interrupted step is repeated at the next start.
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

/// Waits until `rest` has passed or one of the tables is written. Returns false when the service stops.
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

/// The time until `next`, at most an hour; both in µs since 1970 UTC.
pub fn until(next: i64, now: i64) -> Duration {
    Duration::from_micros(u64::try_from(next - now).unwrap_or_default()).min(LONGEST)
}
