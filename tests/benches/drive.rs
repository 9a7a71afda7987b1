//! Sends the same request over many connections and measures the latency.
//!
//! A single thread drives all connections: with one thread for each, the measured latencies would be those of the client's threads, which compete
//! with the server for the processor (p99 of a fixed response without a token: 13 ms with 8 threads on two cores).

#![allow(dead_code, reason = "each benchmark uses some of it")]

use crate::wire::{Ask, Head};
use futures_util::future::join_all;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

impl Ask {
    pub fn get(address: &str, path: &str, token: Option<&str>) -> Self {
        Self::new("GET", address, path, token, "")
    }
}

/// The measured figures of many requests.
pub struct Timing {
    pub requests: usize,
    pub per_second: f64,
    /// In microseconds.
    pub p50: f64,
    pub p99: f64,
}

/// Sends `ask` over that many `connections`, one request after another on each, while `goes_on`, called with the elapsed time, returns true. With a
/// `pause`, each connection sends requests at that interval, otherwise as soon as a response has arrived.
pub fn drive(
    address: &str,
    ask: &Ask,
    connections: usize,
    pause: Option<Duration>,
    goes_on: impl Fn(Duration) -> bool,
) -> Timing {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("there is memory");
    let goes_on = &goes_on;
    let began = Instant::now();
    let one = async || {
        let mut line = Line::open(address).await;
        let mut micros = Vec::new();
        while goes_on(began.elapsed()) {
            let sent = Instant::now();
            line.send(ask).await;
            let took = sent.elapsed();
            micros.push(took.as_secs_f64() * 1e6);
            if let Some(pause) = pause {
                tokio::time::sleep(pause.saturating_sub(took)).await;
            }
        }
        micros
    };
    let lines = (0..connections).map(|_| one());
    let mut micros: Vec<f64> = runtime.block_on(join_all(lines)).into_iter().flatten().collect();
    let seconds = began.elapsed().as_secs_f64();
    micros.sort_by(f64::total_cmp);
    let at = |share: usize| micros[(micros.len() * share / 100).min(micros.len() - 1)];
    #[expect(clippy::cast_precision_loss, reason = "fewer than 2^52 requests")]
    let per_second = micros.len() as f64 / seconds;
    Timing { requests: micros.len(), per_second, p50: at(50), p99: at(99) }
}

/// A persistent connection, one of many on a thread.
struct Line {
    stream: TcpStream,
    received: Vec<u8>,
}

impl Line {
    async fn open(address: &str) -> Self {
        let stream = TcpStream::connect(address).await.expect("the server listens");
        stream.set_nodelay(true).expect("a TCP stream");
        Self { stream, received: vec![0; 1 << 18] }
    }

    /// Sends a request and waits for the complete response, which must be successful.
    async fn send(&mut self, ask: &Ask) {
        self.stream.write_all(&ask.0).await.expect("the server reads");
        let mut filled = 0;
        let mut head: Option<Head> = None;
        loop {
            if filled == self.received.len() {
                self.received.resize(filled * 2, 0);
            }
            let read = self.stream.read(&mut self.received[filled..]).await.expect("the server answers");
            assert_ne!(read, 0, "the server hung up");
            filled += read;
            head = head.or_else(|| Head::read(&self.received[..filled]));
            if let Some(head) = &mut head
                && head.is_whole(&self.received[..filled])
            {
                let body = &self.received[head.start..filled];
                assert_eq!(head.status, 200, "{}", String::from_utf8_lossy(body));
                return;
            }
        }
    }
}
