//! Files of known formats to records, records to rows.
//!
//! Start at [`import`]: it recognises a file by its content ([`detect`]), reads it on one thread and writes it on another, in one
//! transaction, and answers with a [`Report`] that accounts for every row. Whatever a file's size, memory stays bounded:
//! records travel in batches, and what is remembered about rows already met is limited ([`limit`]).
//!
//! Importing a file again never adds:
//! * The same bytes, while what they brought is still in place: nothing changes (`unchanged`).
//! * Other bytes for a billing period that is there already (same provider, billing account and currency): the older rows of that
//!   period are replaced, and the report says how many. Two files are taken for the same delivery told twice only if they share
//!   an account *and* overlap in time; the export of another subscription, or of later days, stays beside the first.
//! * The parts of one delivery (`part_0_0001.csv`, `part_0_0002.csv`) look like restatements of each other. They share one
//!   [`Delivery`], and files of a delivery never replace each other; [`delivery::groups`] finds parts among names.
//!
//! What this crate does not do: guess money, convert currencies, write SQL, read the clock.

mod cells;
pub mod delivery;
mod detect;
mod error;
mod formats;
mod ids;
mod import;
pub mod limit;
mod lines;
mod providers;
mod report;
pub mod sample;
mod source;
#[cfg(test)]
mod tests;
mod utf16;
mod write;

pub use delivery::Delivery;
pub use error::ImportError;
pub use formats::FormAnswers;
pub use import::{File, Options, Progress, import};
pub use report::{
    Account, Amount, Change, Choice, ChoiceTotal, ColumnFormat, CostTotal, Decided, Decision, DeliveryReport,
    Failure, ManifestReport, Part, Period, Reason, Replaced, Report, SavingsTotal, Skipped, State, Sums,
};
