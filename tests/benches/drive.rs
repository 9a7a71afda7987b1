//! The same request from many connections, and what that took.

use crate::wire::{Ask, Connection};
use std::time::{Duration, Instant};

impl Ask {
    pub fn get(address: &str, path: &str, token: Option<&str>) -> Self {
        Self::new("GET", address, path, token, "")
    }
}

/// What many requests took.
pub struct Timing {
    pub requests: usize,
    pub per_second: f64,
    /// Microseconds.
    pub p50: f64,
    pub p99: f64,
}

/// Sends `ask` over so many `connections`, one request after another on each, while `goes_on` with the time since the
/// beginning. With a `pause`, each connection begins a request that often, else as soon as it has its answer.
pub fn drive(
    address: &str,
    ask: &Ask,
    connections: usize,
    pause: Option<Duration>,
    goes_on: impl Fn(Duration) -> bool + Sync,
) -> Timing {
    let began = Instant::now();
    let mut micros: Vec<f64> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..connections)
            .map(|_| {
                scope.spawn(|| {
                    let mut connection = Connection::open(address);
                    let mut micros = Vec::new();
                    while goes_on(began.elapsed()) {
                        let sent = Instant::now();
                        connection.send(ask);
                        let took = sent.elapsed();
                        micros.push(took.as_secs_f64() * 1e6);
                        if let Some(pause) = pause {
                            std::thread::sleep(pause.saturating_sub(took));
                        }
                    }
                    micros
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no answer failed")).collect()
    });
    let seconds = began.elapsed().as_secs_f64();
    micros.sort_by(f64::total_cmp);
    let at = |share: usize| micros[(micros.len() * share / 100).min(micros.len() - 1)];
    #[expect(clippy::cast_precision_loss, reason = "fewer than 2^52 requests")]
    let per_second = micros.len() as f64 / seconds;
    Timing { requests: micros.len(), per_second, p50: at(50), p99: at(99) }
}
