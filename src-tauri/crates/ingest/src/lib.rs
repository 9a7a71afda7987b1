//! Files of known formats to records, records to rows.
//!
//! Start at [`import`]: it recognises a file by its content ([`detect`]), reads it on one thread and writes it on another, in one
//! transaction, and answers with a [`Report`] that accounts for every row. Whatever a file's size, memory stays bounded:
//! records travel in batches, and what is remembered about rows already met is limited ([`limit`]).
//!
//! A manifest decides which files are one run of an export and which run counts ([`deliver`]). Else content decides.
//! A delivery in pieces is the sum of its pieces, and importing a file again never adds:
//! * The same bytes, while what they brought is still in place: nothing changes (`unchanged`).
//! * Else content decides, billing period by billing period of each source (billing account, provider, currency): nearly all
//!   charges known: they are told again and replace; nearly none: a further part, which adds; anything else waits for a person
//!   (`needs_decision`). See [`decide`]; names and clocks say nothing.
//! * What an import changed is written down, so that it can be taken back ([`undo`]).
//!
//! What this crate does not do: guess money, convert currencies, write SQL, read the clock.

mod archive;
mod archive_files;
mod cells;
mod container;
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
mod packed;
mod providers;
mod record_at;
mod report;
pub mod sample;
mod source;
#[cfg(test)]
mod tests;
pub mod undo;
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
pub use write::counting::{ToolCost, tool_costs};
pub use write::due;
pub use write::events::{Events, Outcome as EventOutcome};
pub use write::findings::SAME_ADVICE;
