//! Schedules of reports. The due time is stored in the database: the process that advances it has sent the report, so that each report is sent
//! once, even with several or restarting processes. A report that became due while no process ran is sent once when one runs again.

use super::{build, send};
use crate::acting;
use crate::report_files::FORMATS;
use automation::schedule::Schedule;
use catalogue::Caller;
use graphql::Refusal;
use model::tables::scheduled_report;
use model::{Id, Json, Read, ScheduledReport, Writer, ZonedTimestamp, row};
use store::{Store, StoreError, Transaction};
use uuid::Uuid;

/// The shortest interval between two due times, in µs.
const LEAST: i64 = 3_600_000_000;
/// Due times of a schedule that are checked for too short intervals.
const LOOKED_AT: usize = 30;
const MOST_RECIPIENTS: usize = 50;
const DAY: i64 = 86_400_000_000;

row! {
    pub(super) struct ReportRow from scheduled_report {
        id, tenant, name, kind, settings, schedule, timezone, channel_id, recipients, formats, is_active, next_due_at, removed_at
    }
}

/// Validates written reports and sets their next due times.
pub(super) fn written(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    let follow = || -> Result<(), Refusal> {
        let these = scheduled_report::id.one_of(ids.iter().map(|id| Id::<ScheduledReport>::new(*id)));
        for report in rows.query::<ReportRow>().filter(these).rows()? {
            let schedule = check(rows, &report)?;
            let is_due = report.is_active && report.removed_at.is_none();
            if is_due {
                acting::refuse(rows, Some(report.tenant.uuid()), acting::REPORT)?;
            }
            let next = is_due.then(|| schedule.next(rows.now())).flatten();
            set_next(&rows.without_actor(), report.id, next)?;
        }
        Ok(())
    };
    follow().map_err(Refusal::into_error)
}

fn set_next(rows: &Transaction<'_>, id: Id<ScheduledReport>, next: Option<i64>) -> Result<(), Refusal> {
    let cells = [scheduled_report::next_due_at.to_option(next.map(ZonedTimestamp))];
    Writer::derived(rows)?.update(scheduled_report::id.eq(id), cells)?;
    Ok(())
}

/// Checks that a report can be built and sent, and that its schedule has due times.
fn check(rows: &Transaction<'_>, report: &ReportRow) -> Result<Schedule, Refusal> {
    if report.name.trim().is_empty() {
        return Err(Refusal::invalid("`name` is empty: expected what people call the report"));
    }
    build::check(rows, report.kind, &report.settings.value())?;
    let recipients = texts(&report.recipients, "recipients")?;
    if recipients.len() > MOST_RECIPIENTS {
        let message = format!(
            "`recipients` has {} addresses: expected {MOST_RECIPIENTS} at most; use a list of your mail server",
            recipients.len()
        );
        return Err(Refusal::invalid(message));
    }
    for recipient in &recipients {
        channels::check_address(recipient)
            .map_err(|why| Refusal::invalid(format!("`recipients` has an address that {why}")))?;
    }
    let formats = texts(&report.formats, "formats")?;
    if let Some(other) = formats.iter().find(|format| !FORMATS.contains(&format.as_str())) {
        return Err(Refusal::invalid(format!("`formats` has \"{other}\": expected pdf, xlsx or csv")));
    }
    let schedule = Schedule::read(&report.schedule, Some(&report.timezone))
        .map_err(|why| Refusal::invalid(format!("`schedule`: {why}")))?;
    let mut last: Option<i64> = None;
    for _ in 0..LOOKED_AT {
        let Some(next) = schedule.next(last.unwrap_or_default()) else { break };
        if last.is_some_and(|last| next - last < LEAST) {
            let message = format!(
                "`schedule` is \"{}\": expected a line that is due once an hour at most, such as 0 7 * * 1",
                report.schedule
            );
            return Err(Refusal::invalid(message));
        }
        last = Some(next);
    }
    if last.is_none() {
        let message = format!("`schedule` is \"{}\", which is never due", report.schedule);
        return Err(Refusal::invalid(message));
    }
    Ok(schedule)
}

pub(super) fn texts(list: &Json, name: &str) -> Result<Vec<String>, Refusal> {
    let wrong = |_| Refusal::invalid(format!("`{name}` is {}: expected a list of texts", list.text()));
    list.parse().map_err(wrong)
}

/// The last day a report covers: the day before it is due, in the report's time zone. For example, a report due at 0:30 on the 1st in Berlin
/// covers the whole previous month, although in UTC that month has not ended.
fn last_day(report: &ReportRow, due: i64) -> i32 {
    let schedule = Schedule::read(&report.schedule, Some(&report.timezone));
    let day = schedule.map_or_else(
        |_| i32::try_from(due.div_euclid(DAY)).unwrap_or(i32::MAX),
        |schedule| schedule.day(due),
    );
    day - 1
}

/// Stores a report as of a past due time (µs since 1970 UTC). `rows` act for its tenant and are derived.
pub(crate) fn keep_past(rows: &Transaction<'_>, id: Id<ScheduledReport>, due: i64) -> Result<(), Refusal> {
    let Some(report) = rows.query::<ReportRow>().filter(scheduled_report::id.eq(id)).first()? else {
        return Ok(());
    };
    let until = last_day(&report, due);
    let content = build::report(rows, (report.kind, &report.settings.value()), &report.name, Some(until))?;
    send::begin(rows, &report, (due, false), &Ok(content)).map(drop)
}

/// Sends due reports and returns when the next is due (µs since 1970 UTC). Blocks.
pub(crate) fn start_due(store: &Store) -> Result<Option<i64>, Refusal> {
    loop {
        let (next, now) =
            store.snapshot::<_, Refusal>(&Caller::system(), |rows| Ok((first(rows)?, rows.now())))?;
        let Some((report, due)) = next else { return Ok(None) };
        if due > now {
            return Ok(Some(due));
        }
        let system = Caller::system_for(report.tenant.uuid());
        // Charges are summed outside the transaction, so that other writers do not wait.
        let content = store.snapshot::<_, Refusal>(&system, |rows| {
            let until = last_day(&report, due);
            let found =
                build::report(rows, (report.kind, &report.settings.value()), &report.name, Some(until));
            Ok(found.map_err(|refusal| refusal.message))
        })?;
        store.transaction::<_, Refusal>(&system, |rows| {
            let rows = rows.without_actor();
            let known = rows.query::<ReportRow>().filter(scheduled_report::id.eq(report.id)).first()?;
            // Another process has sent the report, or it was changed, in the meantime.
            let Some(known) = known.filter(|known| known.next_due_at == Some(ZonedTimestamp(due))) else {
                return Ok(());
            };
            send::begin(&rows, &known, (due, false), &content)?;
            let schedule = Schedule::read(&known.schedule, Some(&known.timezone)).ok();
            set_next(&rows, known.id, schedule.and_then(|schedule| schedule.next(rows.now())))
        })?;
    }
}

/// The report with the earliest due time.
fn first(rows: &Transaction<'_>) -> Result<Option<(ReportRow, i64)>, Refusal> {
    let waits = scheduled_report::next_due_at.is_not_null();
    let found = rows.query::<ReportRow>().filter(waits).order(scheduled_report::next_due_at.asc()).first()?;
    Ok(found.and_then(|report| report.next_due_at.map(|due| (report, due.micros()))))
}
