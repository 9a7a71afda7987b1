//! Tests of the anomaly rules with independently generated series.

mod bench;
mod generator;
mod hourly;
mod labelled;
mod recomputed;
mod single;
mod tags;
