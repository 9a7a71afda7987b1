//! Reports model downloads to the registry of jobs, which the window shows.

use crate::background::registry::{JobRegistry, Kind, Outcome, RunningJob};
use crate::clock;
use models::{DownloadEnd, Downloads};
use std::collections::BTreeMap;
use tokio::sync::watch;

/// Follows downloads until the service stops.
pub async fn follow(models: Downloads, works: JobRegistry, mut stopping: watch::Receiver<bool>) {
    let mut changed = models.changed();
    let mut going_on: BTreeMap<String, RunningJob> = BTreeMap::new();
    loop {
        let running = models.running();
        let gone: Vec<String> = going_on.keys().filter(|name| !running.contains(name)).cloned().collect();
        for name in gone {
            if let Some(underway) = going_on.remove(&name) {
                underway.came_to(outcome(models.ended(&name)));
            }
        }
        for name in running {
            going_on.entry(name).or_insert_with_key(|name| works.begin(Kind::Download, name, clock::now()));
        }
        tokio::select! {
            told = changed.changed() => if told.is_err() { return },
            // An error means that the sender was dropped.
            _ = stopping.wait_for(|stop| *stop) => return,
        }
    }
}

fn outcome(ended: Option<DownloadEnd>) -> Outcome {
    match ended {
        Some(DownloadEnd::Ready) => Outcome::Done,
        Some(DownloadEnd::Failed) => Outcome::Failed,
        Some(DownloadEnd::Stopped) | None => Outcome::Stopped,
    }
}
