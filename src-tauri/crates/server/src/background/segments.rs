//! Segments that writes have made stale are made anew in the background, so that the next answer need not read rows.
//!
//! What is lacking stands in the database; nothing is lost when the service ends in between. Nothing runs while nothing is
//! written.

use std::time::Instant;
use store::{Store, StoreError};
use tokio::sync::watch;

/// Rests so many times as long as a step took: writes of people come first, and what changes all the time is not made anew all
/// the time.
const REST: u32 = 4;

/// Works until the service stops.
pub async fn run(store: Store, mut stopping: watch::Receiver<bool>) {
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
                store.segments_lack().await;
            }
        };
        tokio::select! {
            () = next => {}
            // An error means that nobody can say stop any more: then it is time to.
            _ = stopping.wait_for(|stop| *stop) => return,
        }
    }
}
