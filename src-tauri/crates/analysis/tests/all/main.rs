//! Tests of the analyses with independently generated series and bills.

#![expect(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "a test may, and its numbers are small"
)]

mod anomalies;
mod forecasts;
mod random;
mod savings;

/// The number of bills per line: few in an ordinary test run; `make bench-analysis` uses more.
fn seeds() -> u64 {
    std::env::var("BENCH_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(16)
}
