//! Maintains derived data in the background: segments that writes have made stale (so that the next query need not read rows), row counts used by
//! the query planner, and values shared by rows.
//!
//! Pending work is derived from the database, therefore nothing is lost when the service stops. Nothing runs while nothing is written.

use std::time::{Duration, Instant};
use store::{Store, StoreError};
use tokio::sync::watch;

/// Pause after a step, as a multiple of its duration: writes of users have priority, and data that changes constantly is not recomputed constantly.
const REST: u32 = 4;
/// Reads that began before rows were removed have ended after this time.
const LONGER_THAN_A_READ: Duration = Duration::from_mins(10);

/// Works until the service stops.
pub async fn run(store: Store, stopping: watch::Receiver<bool>) {
    let sweep = shared_values(store.clone(), stopping.clone(), || tokio::time::sleep(LONGER_THAN_A_READ));
    tokio::join!(statistics(store.clone(), stopping.clone()), sweep, segments(store, stopping));
}

/// Removes shared values that no row uses any more, after rows were removed and earlier reads have ended (ADR 039).
async fn shared_values<F: Future<Output = ()>>(
    store: Store,
    mut stopping: watch::Receiver<bool>,
    reads_have_ended: impl Fn() -> F,
) {
    loop {
        let removed = async {
            store.wait_for_removed_shared_rows().await;
            reads_have_ended().await;
        };
        tokio::select! {
            () = removed => {}
            // An error means that the sender was dropped, which also means to stop.
            _ = stopping.wait_for(|stop| *stop) => return,
        }
        let step = tokio::task::spawn_blocking({
            let store = store.clone();
            move || store.sweep_shared()
        });
        match step.await {
            // Another process is writing: the next removal of rows will include these values.
            Ok(Ok(0) | Err(StoreError::Busy { .. })) => {}
            Ok(Ok(values)) => tracing::debug!(values, "shared values that no row has were removed"),
            Ok(Err(error)) => tracing::warn!("shared values that no row has stay: {error}"),
            Err(panic) => {
                tracing::error!("removing shared values ended in a panic: {panic}");
                return;
            }
        }
    }
}

/// Counts rows once at start, and whenever many rows were written.
async fn statistics(store: Store, mut stopping: watch::Receiver<bool>) {
    loop {
        let step = tokio::task::spawn_blocking({
            let store = store.clone();
            move || store.renew_statistics()
        });
        match step.await {
            // Nothing to count, or another process is writing: after many writes there, writes occur here, too.
            Ok(Ok(0) | Err(StoreError::Busy { .. })) => {}
            Ok(Ok(tables)) => tracing::debug!(tables, "rows were counted"),
            Ok(Err(error)) => tracing::warn!("rows could not be counted, plans may be chosen badly: {error}"),
            Err(panic) => {
                tracing::error!("counting rows ended in a panic: {panic}");
                return;
            }
        }
        tokio::select! {
            () = store.wait_for_growth() => {}
            // An error means that the sender was dropped, which also means to stop.
            _ = stopping.wait_for(|stop| *stop) => return,
        }
    }
}

async fn segments(store: Store, mut stopping: watch::Receiver<bool>) {
    loop {
        let began = Instant::now();
        let step = tokio::task::spawn_blocking({
            let store = store.clone();
            move || store.renew_segments()
        });
        let is_renewed = match step.await {
            Ok(Ok(is_renewed)) => is_renewed,
            // An import is writing. It makes its own segments, and the next query finds the stale ones.
            Ok(Err(StoreError::Busy { .. })) => false,
            Ok(Err(error)) => {
                tracing::warn!("segments could not be made anew, rows answer instead: {error}");
                false
            }
            Err(panic) => {
                tracing::error!("making segments anew ended in a panic: {panic}");
                return;
            }
        };
        let next = async {
            if is_renewed {
                tokio::time::sleep(began.elapsed() * REST).await;
            } else {
                store.wait_for_missing_segments().await;
            }
        };
        tokio::select! {
            () = next => {}
            // An error means that the sender was dropped, which also means to stop.
            _ = stopping.wait_for(|stop| *stop) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalogue::{Caller, Catalogue, Source, ValueRef};
    use std::sync::Arc;
    use tokio::sync::mpsc;

    const CHARGES: &str = r#"
"A charge."
type charge @table(scope: everyone) @shared(group: "offer", columns: ["words"]) {
  id: uuid! @key @default(call: random_uuid)
  number: Int!
  words: String
}
"#;

    /// Adds three charges that share one description.
    fn add(store: &Store, number: i64) {
        let words = format!("a description that charges number {number} have in common");
        let added: Result<(), StoreError> = store.bulk(&Caller::system(), |rows| {
            let mut inserter = rows.inserter("charge", &["number", "words"])?;
            (0..3).try_for_each(|_| inserter.insert(&[ValueRef::Int(number), ValueRef::Text(&words)]))
        });
        added.unwrap();
    }

    fn remove(store: &Store, number: i64) {
        let removed: Result<u64, StoreError> = store.transaction(&Caller::system(), |rows| {
            rows.delete("charge", &[store::eq("number", ValueRef::Int(number))])
        });
        assert_eq!(removed.unwrap(), 3);
    }

    #[tokio::test]
    async fn what_removed_rows_alone_had_goes_once_reads_of_before_have_ended() {
        let folder = tempfile::tempdir().unwrap();
        let source = Source { name: "tables/charge.graphql", text: CHARGES };
        let catalogue = Arc::new(Catalogue::parse(&[source]).unwrap());
        let store = Store::open(&folder.path().join("test.db"), catalogue).unwrap();
        for number in 1..=3 {
            add(&store, number);
        }
        let (stop, stopping) = watch::channel(false);
        let (asks, mut asked) = mpsc::unbounded_channel();
        let (ends, ended) = mpsc::unbounded_channel();
        let ended = Arc::new(tokio::sync::Mutex::new(ended));
        let sweep = tokio::spawn(shared_values(store.clone(), stopping, move || {
            let (asks, ended) = (asks.clone(), Arc::clone(&ended));
            async move {
                asks.send(()).unwrap();
                ended.lock().await.recv().await.unwrap();
            }
        }));

        remove(&store, 1);
        asked.recv().await.unwrap();
        // While earlier reads may still run, nothing is removed.
        remove(&store, 2);
        ends.send(()).unwrap();
        // It waits for the second removal: it has then swept for the first one, and the values of both are gone.
        asked.recv().await.unwrap();
        assert_eq!(store.sweep_shared().unwrap(), 0);
        remove(&store, 3);
        ends.send(()).unwrap();
        asked.recv().await.unwrap();
        assert_eq!(store.sweep_shared().unwrap(), 0);
        stop.send(true).unwrap();
        sweep.await.unwrap();
    }
}
