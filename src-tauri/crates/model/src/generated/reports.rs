//! Tables and lookups of `schema/tables/reports.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::lookup::lookup;
use crate::table::table;

table! {
    /// A report that is worked out and sent on a schedule, through a channel.
    ScheduledReport in scheduled_report by id {
        id: Id<ScheduledReport>,
        tenant: Id<Tenant>,
        /// Unique in the tenant.
        name: String,
        kind: ScheduledReportKind,
        /// What it covers. Of costs: `months` (6), `group_by` (`service_name`, as of forecasts), `metric` (`billed`, `effective`, `contracted` or `list`),
        /// `scope` (as `budget.scope`); or `view_id`, a saved view of the Explorer, which says all of these but `months`. Of anomalies: `days` (31).
        settings: Json,
        /// A cron line such as `0 7 1 * *`.
        schedule: String,
        /// The time zone on whose clock the line is, of the IANA database.
        timezone: String,
        /// Where it is sent. Mail has the documents; other channels have the sums and a link.
        channel_id: Option<Id<NoticeChannel>>,
        /// Of mail: who gets it; the recipients of the channel when empty.
        recipients: Json,
        /// Which documents mail has: `pdf`, `xlsx`, `csv`.
        formats: Json,
        is_active: bool,
        /// When it is sent next; null while it is not.
        next_due_at: Option<ZonedTimestamp>,
        /// When somebody removed it. It can be put back.
        removed_at: Option<ZonedTimestamp>,
        created_at: ZonedTimestamp,
        updated_at: ZonedTimestamp,
    }
}

table! {
    /// A report as it was worked out, and its way to people.
    ScheduledReportRun in scheduled_report_run by id {
        id: Id<ScheduledReportRun>,
        tenant: Id<Tenant>,
        report_id: Id<ScheduledReport>,
        /// The time of the schedule, or when a person sent it.
        due_at: ZonedTimestamp,
        /// Whether a person sent it.
        is_manual: bool,
        /// The tables and charts of its documents; null when it could not be worked out.
        content: Option<Json>,
        /// The message; what came of it is told by its deliveries.
        notice_id: Option<Id<Notice>>,
        /// Why it was not sent.
        error: Option<String>,
        created_at: ZonedTimestamp,
    }
}

lookup! {
    /// What a report tells.
    ScheduledReportKind {
        /// Costs by month.
        Costs = "costs",
        /// How budgets stand.
        Budgets = "budgets",
        /// What recommendations have saved and can save.
        Savings = "savings",
        /// Costs that were out of the ordinary.
        Anomalies = "anomalies",
    }
}
