//! `report_document` renders a report as files; `report_send` sends a scheduled report now.

use super::build::{refused, report, usual_title};
use super::schedule::ReportRow;
use super::send::begin;
use crate::kit::{Arguments, tenant};
use crate::report_files::{FORMATS, day, files};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use catalogue::Caller;
use graphql::{Call, Refusal};
use model::tables::{scheduled_report, scheduled_report_run};
use model::{Id, Read, ScheduledReportKind, row};
use reports::Report;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use uuid::Uuid;

row! { struct RunRow from scheduled_report_run { content, due_at, error } }

#[derive(Serialize)]
pub(super) struct ReportDocument {
    content: Report,
    files: Vec<ReportFile>,
}

#[derive(Serialize)]
struct ReportFile {
    name: String,
    media_type: &'static str,
    base64: String,
}

#[derive(Serialize)]
pub(super) struct ReportSent {
    run_id: Uuid,
}

/// `report_document`
pub(super) fn document(call: &Call<'_>) -> Result<ReportDocument, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let (content, at) = match (request.value("content"), request.id("run_id")?) {
        (Some(content), _) => (given(content)?, call.now),
        (None, Some(run)) => sent(call, run)?,
        (None, None) => (worked_out(call, request)?, call.now),
    };
    let mut found = Vec::new();
    if call.selects(&["files"]) {
        for file in files(&content, &FORMATS.map(str::to_owned), &day(at))? {
            let base64 = STANDARD.encode(&file.bytes);
            found.push(ReportFile { name: file.name, media_type: file.media_type, base64 });
        }
    }
    Ok(ReportDocument { content, files: found })
}

/// Tables and charts that the client supplied.
fn given(content: &Json) -> Result<Report, Refusal> {
    let read = Report::deserialize(content)
        .map_err(|error| Refusal::invalid(format!("`content` is no report: {error}")))?;
    read.check().map_err(refused)?;
    Ok(read)
}

fn sent(call: &Call<'_>, run: Uuid) -> Result<(Report, i64), Refusal> {
    let found = call.rows.query::<RunRow>().filter(scheduled_report_run::id.eq(Id::new(run))).first()?;
    let found = found
        .ok_or_else(|| Refusal::not_found(format!("there is no run {run} of a report in this tenant")))?;
    let content = found.content.as_ref().and_then(|content| content.parse().ok());
    let content = content.ok_or_else(|| {
        let why = found.error.unwrap_or_else(|| "its tables cannot be read".to_owned());
        Refusal::invalid(format!("nothing was sent by this run: {why}"))
    })?;
    Ok((content, found.due_at.micros()))
}

fn worked_out(call: &Call<'_>, request: Arguments<'_>) -> Result<Report, Refusal> {
    let stored = request.id("id")?.map(|id| find(call, id)).transpose()?;
    let kind =
        request.text("kind").and_then(ScheduledReportKind::find).or(stored.as_ref().map(|row| row.kind));
    let kind = kind.ok_or_else(|| {
        Refusal::invalid(
            "`kind` is missing: expected costs, budgets, savings or anomalies; or `id` of a report",
        )
    })?;
    let settings =
        request.value("settings").cloned().or_else(|| stored.as_ref().map(|row| row.settings.value()));
    let settings = settings.unwrap_or_else(|| Json::Object(serde_json::Map::new()));
    let name = request.text("name").map(str::to_owned).or(stored.map(|row| row.name));
    let name = name.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| usual_title(kind).to_owned());
    report(call.rows, (kind, &settings), &name, None)
}

fn find(call: &Call<'_>, id: Uuid) -> Result<ReportRow, Refusal> {
    let is_there = scheduled_report::id
        .eq(Id::new(id))
        .and(scheduled_report::removed_at.eq_or_null(None::<model::ZonedTimestamp>));
    let found = call.rows.query::<ReportRow>().filter(is_there).first()?;
    found.ok_or_else(|| Refusal::not_found(format!("there is no report {id} in this tenant")))
}

/// `report_send`
pub(super) fn send(call: &Call<'_>) -> Result<ReportSent, Refusal> {
    let stored = find(call, Arguments(call.arguments).needed_id("id")?)?;
    let content = report(call.rows, (stored.kind, &stored.settings.value()), &stored.name, None)?;
    let system = Caller::system_for(tenant(call)?);
    let rows = call.rows.without_actor();
    let run_id = begin(&rows.as_caller(&system), &stored, (call.now, true), &Ok(content))?;
    Ok(ReportSent { run_id })
}
