//! Forecasts beside what made-up series came to on the days ahead.

mod bench;
mod generator;
