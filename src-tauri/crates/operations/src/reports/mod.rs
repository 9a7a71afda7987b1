//! Reports: costs by month, budgets, savings and anomalies as documents, on a schedule or at once.
//!
//! A report is built as tables and charts ([`build`]), which are stored with the run that sends it ([`send`]). Documents are rendered from them
//! on demand (`report_files`). The due time of a report is stored in its row ([`schedule`]). Its message is sent as a notice.

mod build;
mod fields;
mod schedule;
mod send;

pub(crate) use schedule::{keep_past, start_due};

use crate::{Function, kit::typed};
use store::AfterWriteHook;

/// The table of scheduled reports, with their due times.
pub(crate) const TABLE: &str = "scheduled_report";

pub(crate) const FIELDS: &[(&str, Function)] =
    &[("report_document", typed!(fields::document)), ("report_send", typed!(fields::send))];

/// Refuses a report that cannot be built or is never due, regardless of who writes it.
pub(crate) const AFTER_WRITE: AfterWriteHook = AfterWriteHook {
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
