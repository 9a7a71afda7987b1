//! What is kept beside the rows is renewed in the background: segments that writes have made stale, so that the next answer need
//! not read rows, the numbers of rows that plans of statements are chosen by, and values that rows share.
//!
//! What is lacking stands in the database; nothing is lost when the service ends in between. Nothing runs while nothing is
//! written.

use std::time::{Duration, Instant};
use store::{Store, StoreError};
use tokio::sync::watch;

/// Rests so many times as long as a step took: writes of people come first, and what changes all the time is not made anew all
/// the time.
const REST: u32 = 4;
/// Reads that began before rows were removed have ended by then.
const LONGER_THAN_A_READ: Duration = Duration::from_mins(10);

/// Works until the service stops.
pub async fn run(store: Store, stopping: watch::Receiver<bool>) {
    let sweep = shared_values(store.clone(), stopping.clone(), || tokio::time::sleep(LONGER_THAN_A_READ));
    tokio::join!(statistics(store.clone(), stopping.clone()), sweep, segments(store, stopping));
}

/// After rows that share values were removed, and reads of before have ended: what they alone had goes, too (ADR 039).
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
            // An error means that nobody can say stop any more: then it is time to.
            _ = stopping.wait_for(|stop| *stop) => return,
        }
        let step = tokio::task::spawn_blocking({
            let store = store.clone();
            move || store.sweep_shared()
        });
        match step.await {
            // Another process writes: the next rows that are removed take them along.
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

/// Once at the start, and whenever many rows were written.
async fn statistics(store: Store, mut stopping: watch::Receiver<bool>) {
    loop {
        let step = tokio::task::spawn_blocking({
            let store = store.clone();
            move || store.renew_statistics()
        });
        match step.await {
            // Nothing to count, or another process writes: when it has written much, somebody will here, too.
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
            // An error means that nobody can say stop any more: then it is time to.
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
            // An import is writing; it makes its own segments, and the next answer finds what is left.
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
            // An error means that nobody can say stop any more: then it is time to.
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

    /// Adds three charges, which share one description.
    fn add(store: &Store, number: i64) {
        let words = format!("a description that charges number {number} have in common");
        let added: Result<(), StoreError> = store.bulk(&Caller::house(), |rows| {
            let mut inserter = rows.inserter("charge", &["number", "words"])?;
            (0..3).try_for_each(|_| inserter.insert(&[ValueRef::Int(number), ValueRef::Text(&words)]))
        });
        added.unwrap();
    }

    fn remove(store: &Store, number: i64) {
        let removed: Result<u64, StoreError> = store.transaction(&Caller::house(), |rows| {
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
        // While reads of before may be under way, nothing goes.
        remove(&store, 2);
        ends.send(()).unwrap();
        // It asks again for the second removal: it has swept for the first one then, and both are gone.
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
