//! Tells the window of downloads of models that go on and end.

use crate::clock;
use crate::works::{Kind, Outcome, Underway, Works};
use models::{Downloads, ModelName, State};
use std::collections::BTreeMap;
use tokio::sync::watch;

/// Follows them until the service stops.
pub async fn follow(models: Downloads, works: Works, mut stopping: watch::Receiver<bool>) {
    let mut changed = models.changed();
    let mut going_on: BTreeMap<String, Underway> = BTreeMap::new();
    loop {
        let running = models.running();
        let gone: Vec<String> = going_on.keys().filter(|name| !running.contains(name)).cloned().collect();
        for name in gone {
            let models = models.clone();
            let asked = name.clone();
            let outcome = tokio::task::spawn_blocking(move || outcome(&models, &asked)).await;
            if let Some(underway) = going_on.remove(&name) {
                underway.came_to(outcome.unwrap_or(Outcome::Stopped));
            }
        }
        for name in running {
            going_on.entry(name).or_insert_with_key(|name| works.begin(Kind::Download, name, clock::now()));
        }
        tokio::select! {
            told = changed.changed() => if told.is_err() { return },
            // An error means that nobody can say stop any more.
            _ = stopping.wait_for(|stop| *stop) => return,
        }
    }
}

/// How a download ended that runs no longer. One that ended well stands in the library and not in this list.
fn outcome(models: &Downloads, name: &str) -> Outcome {
    let status = ModelName::parse(name).ok().and_then(|name| models.status(&name).transpose());
    match status {
        None => Outcome::Done,
        Some(Ok(status)) if matches!(status.state, State::Failed | State::Quarantined) => Outcome::Failed,
        Some(_) => Outcome::Stopped,
    }
}
