//! Paused reports with past runs.

use super::{DAY, Sample, document};
use crate::reports::keep_past;
use automation::schedule::Schedule;
use graphql::Refusal;
use model::tables::scheduled_report;
use model::{Id, Json, ScheduledReport, ScheduledReportKind};

/// The period, in µs, in which past due times are looked up, and the number of runs stored.
const LOOKED_BACK: i64 = 120 * DAY;
const RUNS: usize = 3;

/// Name, kind, settings, and schedule.
const REPORTS: [(&str, ScheduledReportKind, &str, &str); 2] = [
    (
        "Costs for finance",
        ScheduledReportKind::Costs,
        r#"{"months": 3, "group_by": "tags.team"}"#,
        "0 7 1 * *",
    ),
    ("Budgets of the week", ScheduledReportKind::Budgets, "{}", "0 7 * * 1"),
];

/// Writes the reports and their runs.
pub(super) fn write(sample: &Sample<'_>) -> Result<(), Refusal> {
    for (name, kind, settings, line) in REPORTS {
        let id: Id<ScheduledReport> = sample.id(&format!("report {name}"));
        sample.writer()?.insert([
            scheduled_report::id.to(id),
            scheduled_report::name.to(name),
            scheduled_report::kind.to(kind),
            scheduled_report::settings.to(Json::from(document(settings)?)),
            scheduled_report::schedule.to(line),
            scheduled_report::is_active.to(false),
        ])?;
        for due in past(line, sample.rows.now())? {
            keep_past(sample.rows, id, due)?;
        }
    }
    Ok(())
}

/// The last due times of a schedule, oldest first.
fn past(line: &str, now: i64) -> Result<Vec<i64>, Refusal> {
    let schedule = Schedule::read(line, Some("UTC")).map_err(Refusal::invalid)?;
    let next = |time: &i64| schedule.next(*time).filter(|next| *next < now);
    let times: Vec<i64> = std::iter::successors(next(&(now - LOOKED_BACK)), next).collect();
    Ok(times[times.len().saturating_sub(RUNS)..].to_vec())
}
