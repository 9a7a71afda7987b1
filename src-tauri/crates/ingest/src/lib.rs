//! Imports files of known formats: reads them into records and writes the records as rows.
//!
//! Start at [`import`]. It recognises a file by its content ([`detect`]), reads it on one thread, writes it on another in one transaction, and
//! returns a [`Report`] that accounts for every row. Memory is bounded for files of any size: records are passed in batches, and the
//! state about earlier rows is limited ([`limit`]).
//!
//! A manifest defines which files form an export run and which run is current ([`deliver`]). Without a manifest, content decides. A
//! delivery of several files is the sum of its files, and importing a file again never adds costs:
//! * The same bytes, while their rows are still stored: nothing changes (`unchanged`).
//! * Otherwise content decides for each billing period of each source (billing account, provider, currency). If nearly all charges are
//!   stored, they are restated and replaced; if nearly none, they are a further part and added; anything else waits for a person
//!   (`needs_decision`). See [`decide`]; file names and clock times play no role.
//! * The changes of an import are recorded in a journal and can be undone ([`undo`]).
//!
//! This crate does not guess amounts, convert currencies, write SQL or read the clock.

mod archive;
mod archive_files;
mod archive_members;
mod cells;
mod decide;
mod deliver;
mod detect;
mod error;
mod formats;
pub mod graph;
mod ids;
mod import;
mod keys;
pub mod limit;
mod lines;
mod manifest;
pub mod mapping;
mod open;
mod outcome;
mod providers;
mod record_at;
mod report;
pub mod sample;
mod source;
#[cfg(test)]
mod tests;
pub mod undo;
mod unpack;
mod utf16;
mod write;

pub use archive::Archive;
pub use archive_files::{ArchiveFile, ArchiveFiles};
pub use decide::Choice as RowsChoice;
pub use deliver::import;
pub use error::ImportError;
pub use formats::{FormAnswers, ReadableFormat, readable};
pub use import::{File, MOST_LOWER, Options, Progress, StillDue};
pub use open::{TablePreview, table_header, table_preview};
pub use providers::machine::{name_of_machine, resources_of_machines};
pub use record_at::{RecordAt, RecordAtError, record_at};
pub use report::{
    Account, Amount, Change, Choice, ChoiceTotal, ColumnFormat, CostTotal, Decision, DecisionAnswer,
    DeliveryReport, Failure, ManifestReport, Part, Period, Reason, ReplacedRows, Report, ReportFormat,
    SavingsTotal, SkippedRow, State, Sums, rows_answer,
};
pub use write::events::{Events, Outcome as EventOutcome};
pub use write::findings::DUPLICATE_NOTE;
pub use write::pending_searches;
pub use write::totals::{ToolCost, tool_costs};
