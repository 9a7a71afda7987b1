//! Sends a report: stores its tables and charts, and queues a message for its channel.

use super::schedule::{ReportRow, texts};
use crate::notices::{ChannelMessage, queue_report_message};
use graphql::Refusal;
use model::tables::scheduled_report_run;
use model::{Id, Json, Notice, ScheduledReportRun, Writer, ZonedTimestamp};
use reports::{Kind, Report};
use store::Transaction;
use uuid::Uuid;

/// How long runs are stored, in µs: 400 days.
const KEPT: i64 = 400 * 86_400_000_000;

/// Stores a report and queues its message. `rows` act for its tenant and are derived. `due` is its due time; `is_manual` is true if a user
/// requested it.
pub(super) fn begin(
    rows: &Transaction<'_>,
    report: &ReportRow,
    (due, is_manual): (i64, bool),
    content: &Result<Report, String>,
) -> Result<Uuid, Refusal> {
    let id = Uuid::new_v4();
    let (notice, error) = match content {
        Ok(content) => match message(rows, report, (id, due), content) {
            Ok(notice) => (notice, None),
            Err(refusal) => (None, Some(refusal.message)),
        },
        Err(why) => (None, Some(why.clone())),
    };
    let kept = content.as_ref().ok().map(Json::of).transpose();
    let kept = kept.map_err(|error| Refusal::new("unexpected", error.to_string()))?;
    let writer = Writer::derived(rows)?;
    writer.delete(
        scheduled_report_run::report_id
            .eq(report.id)
            .and(scheduled_report_run::due_at.lt(ZonedTimestamp(due - KEPT))),
    )?;
    writer.insert([
        scheduled_report_run::id.to(Id::<ScheduledReportRun>::new(id)),
        scheduled_report_run::report_id.to(report.id),
        scheduled_report_run::due_at.to(ZonedTimestamp(due)),
        scheduled_report_run::is_manual.to(is_manual),
        scheduled_report_run::content.to_option(kept),
        scheduled_report_run::notice_id.to_option(notice.map(Id::<Notice>::new)),
        scheduled_report_run::error.to_option(error),
        scheduled_report_run::created_at.to(ZonedTimestamp(rows.now())),
    ])?;
    Ok(id)
}

/// Queues the message of a report; `None` if it has no channel and is only stored.
fn message(
    rows: &Transaction<'_>,
    report: &ReportRow,
    (run, due): (Uuid, i64),
    content: &Report,
) -> Result<Option<Uuid>, Refusal> {
    let Some(channel) = report.channel_id else { return Ok(None) };
    let recipients = texts(&report.recipients, "recipients")?;
    let message = ChannelMessage {
        channel: &channel.to_string(),
        key: &format!("{}:{due}", report.id),
        title: &content.title,
        text: &summary(content),
        recipients: &recipients,
        reply_to: None,
    };
    queue_report_message(rows, &message, format!("/costs/reports?id={}&run={run}", report.id)).map(Some)
}

/// The totals of a report, for recipients without the documents.
fn summary(report: &Report) -> String {
    let mut lines = vec![report.subtitle.clone()];
    for section in &report.sections {
        let Some(total) = &section.table.total else { continue };
        let cells = section.table.columns.iter().zip(total);
        let amounts = cells.filter(|(column, cell)| column.kind == Kind::Amount && !cell.is_empty());
        let amounts: Vec<String> = amounts.map(|(column, cell)| format!("{} {cell}", column.name)).collect();
        lines.push(format!("{}: {}", section.title, amounts.join(", ")));
    }
    lines.extend(report.notes.iter().cloned());
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}
