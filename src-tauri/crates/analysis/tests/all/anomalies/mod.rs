//! The rules for anomalies beside series that know nothing of them.

mod bench;
mod generator;
mod hourly;
mod labelled;
mod recomputed;
mod single;
mod tags;
