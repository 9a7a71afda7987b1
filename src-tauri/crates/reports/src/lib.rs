//! Reports as documents: tables and charts that were worked out elsewhere, laid out as PDF and CSV. Pure: the same report gives the same bytes.
//!
//! Start at [`Report`], [`pdf()`] and [`csv()`].

mod content;
mod csv;
mod number;
mod pdf;
#[cfg(test)]
mod tests;

pub use content::{Chart, Column, Kind, Report, ReportError, Section, Series, Table};
pub use csv::csv;
pub use pdf::pdf;
