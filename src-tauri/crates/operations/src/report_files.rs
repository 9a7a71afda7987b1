//! Renders reports as files on demand, from their stored tables and charts.

use channels::Attachment;
use graphql::Refusal;
use model::tables::{scheduled_report, scheduled_report_run};
use model::{Id, Read, row};
use reports::Report;
use store::Transaction;
use uuid::Uuid;

pub(crate) const PDF: &str = "pdf";
pub(crate) const CSV: &str = "csv";
pub(crate) const XLSX: &str = "xlsx";
/// The formats of a report, in the order of its documents.
pub(crate) const FORMATS: [&str; 3] = [PDF, XLSX, CSV];
const WORKBOOK: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

row! { struct RunRow from scheduled_report_run { content, due_at, report_id } }
row! { struct FormatsRow from scheduled_report { formats } }

/// The documents of a report in the given formats: one PDF, one workbook, one CSV per table. File names start with the title and end with
/// `stamp`.
pub(crate) fn files(report: &Report, formats: &[String], stamp: &str) -> Result<Vec<Attachment>, Refusal> {
    let name = file_name(&report.title, stamp);
    let has = |format: &str| formats.iter().any(|wanted| wanted == format);
    let mut files = Vec::new();
    if has(PDF) {
        let bytes = reports::pdf(report).map_err(|error| Refusal::invalid(error.0))?;
        files.push(Attachment { name: format!("{name}.pdf"), media_type: "application/pdf", bytes });
    }
    if has(XLSX) {
        let bytes = reports::xlsx(report).map_err(|error| Refusal::invalid(error.0))?;
        files.push(Attachment { name: format!("{name}.xlsx"), media_type: WORKBOOK, bytes });
    }
    for (place, section) in report.sections.iter().enumerate().filter(|_| has(CSV)) {
        let name = match report.sections.len() {
            1 => format!("{name}.csv"),
            _ => format!("{name}-{}.csv", place + 1),
        };
        let bytes = reports::csv(&section.table).into_bytes();
        files.push(Attachment { name, media_type: "text/csv; charset=utf-8", bytes });
    }
    Ok(files)
}

/// The attachments of a report's message. `rows` act for its tenant.
pub(crate) fn attachments(rows: &Transaction<'_>, notice: Uuid) -> Result<Vec<Attachment>, Refusal> {
    let of_notice = scheduled_report_run::notice_id.eq(Id::new(notice));
    let Some(sent) = rows.query::<RunRow>().filter(of_notice).first()? else { return Ok(Vec::new()) };
    let wanted = rows.query::<FormatsRow>().filter(scheduled_report::id.eq(sent.report_id)).first()?;
    let formats: Vec<String> = wanted.and_then(|row| row.formats.parse().ok()).unwrap_or_default();
    let report: Option<Report> = sent.content.and_then(|content| content.parse().ok());
    let found = report.map(|report| files(&report, &formats, &day(sent.due_at.micros())));
    found.transpose().map(Option::unwrap_or_default).or_else(|refusal| {
        // The message is sent without attachments: it contains the sums and a link.
        tracing::error!("a report is sent without its documents: {}", refusal.message);
        Ok(Vec::new())
    })
}

/// The day of a time, for file names.
pub(crate) fn day(micros: i64) -> String {
    catalogue::format_date(i32::try_from(micros.div_euclid(86_400_000_000)).unwrap_or_default())
}

/// A file name of letters that every file system and mail program accepts.
fn file_name(title: &str, stamp: &str) -> String {
    let mut name = String::new();
    for letter in title.chars().take(80) {
        if letter.is_ascii_alphanumeric() {
            name.push(letter.to_ascii_lowercase());
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    let name = name.trim_matches('-');
    format!("{}_{stamp}", if name.is_empty() { "report" } else { name })
}
