//! The environment of model downloads on this machine.

use crate::clock;
use models::{Passing, Surroundings};
use rand::Rng;
use std::io;
use std::path::Path;
use std::time::Duration;

/// The clock, random numbers and disk of this machine.
pub struct Machine;

impl Surroundings for Machine {
    fn now(&self) -> i64 {
        clock::now()
    }

    fn pass(&self, time: Duration) -> Passing<'_> {
        Box::pin(tokio::time::sleep(time))
    }

    fn chance(&self) -> f64 {
        rand::rng().random()
    }

    fn boot(&self) -> Option<String> {
        // Only Linux provides it. On other systems, data received in the last two seconds before a kill is fetched again.
        std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok().map(|id| id.trim().to_owned())
    }

    fn free_bytes(&self, folder: &Path) -> io::Result<u64> {
        fs4::available_space(folder)
    }
}
