//! The rules for anomalies beside series that know nothing of them.

#![expect(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "a test may, and its numbers are small"
)]

mod bench;
mod generator;
mod recomputed;
mod single;
