//! Renders reports, which are tables and charts, as PDF, XLSX and CSV, and Markdown texts as PDF. Pure functions: the same report gives the same
//! bytes.
//!
//! Start at [`Report`], [`pdf()`], [`xlsx()`] and [`csv()`], or [`pdf_of_markdown()`].

mod archive;
mod content;
mod csv;
mod number;
mod pdf;
#[cfg(test)]
mod tests;
mod xlsx;

pub use content::{Chart, Column, Kind, Report, ReportError, Section, Series, Table};
pub use csv::csv;
pub use pdf::{pdf, pdf_of_markdown};
pub use xlsx::xlsx;
