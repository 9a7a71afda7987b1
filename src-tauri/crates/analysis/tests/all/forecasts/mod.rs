//! Tests of forecasts against the actual continuation of generated series.

mod bench;
mod generator;
