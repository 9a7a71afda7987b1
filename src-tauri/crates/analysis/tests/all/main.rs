//! The rules beside series and bills that know nothing of them.

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

/// Bills of a line: few for whoever runs all tests; `make bench-analysis` asks for more.
fn seeds() -> u64 {
    std::env::var("BENCH_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(16)
}
