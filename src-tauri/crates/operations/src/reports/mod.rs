//! Reports: costs by month, budgets, savings and anomalies as documents, on a schedule or at once.
//!
//! A report is worked out into tables and charts ([`build`]), which are kept with the run that sends it ([`send`]); documents are laid out from them whenever
//! they are wanted (`report_files`). When a report is due stands in its row ([`schedule`]); its message goes the way of notices.

mod build;
mod fields;
mod schedule;
mod send;

pub(crate) use schedule::{keep_past, start_due};

use crate::{Function, kit::typed};
use store::AfterWriteHook;

/// The table that says when reports are due.
pub(crate) const TABLE: &str = "scheduled_report";

pub(crate) const FIELDS: &[(&str, Function)] =
    &[("report_document", typed!(fields::document)), ("report_send", typed!(fields::send))];

/// No report is stored that cannot be worked out or is never due, whoever writes it.
pub(crate) const FOLLOW: AfterWriteHook = AfterWriteHook {
    table: TABLE,
    columns: &[
        "name",
        "kind",
        "settings",
        "schedule",
        "timezone",
        "channel_id",
        "recipients",
        "formats",
        "is_active",
        "removed_at",
    ],
    deletions: false,
    run: schedule::written,
};
