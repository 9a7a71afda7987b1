//! Writes the row of an import, and finds earlier imports of the same bytes.

use super::Job;
use crate::formats::{BesideBill, FormAnswers, brings_charges};
use crate::report::{DeliveryReport, Report};
use catalogue::{Value, ValueRef, parse_timestamp};
use model::tables::imports;
use model::{Id, Read as _, row};
use store::{StoreError, Transaction, eq, one_of};
use uuid::Uuid;

const TABLE: &str = "imports";

row! { struct Sequence from imports { sequence } }
row! { struct ImportReport from imports { report } }

/// An earlier import.
#[derive(Debug)]
pub struct Earlier {
    pub id: Uuid,
    pub sha256: String,
    pub report: Option<Report>,
    /// Rows still in force; fewer than in the report if a later file has replaced some.
    rows_written: i64,
}

impl Earlier {
    /// Whether all rows of the import are still stored: not replaced by a later file, not deleted by a user.
    pub fn is_in_place(&self, transaction: &Transaction<'_>) -> Result<bool, StoreError> {
        let format = self.report.as_ref().and_then(|report| report.format.as_ref());
        // Earlier versions did not list the files of a bundle; a new import does.
        let is_unlisted = self.report.as_ref().is_some_and(|report| report.files.is_none());
        if is_unlisted && format.is_some_and(|format| format.id == "support-bundle") {
            return Ok(false);
        }
        if !format.is_some_and(|format| brings_charges(&format.id)) {
            return Ok(true);
        }
        if !self.is_in_force() {
            return Ok(false);
        }
        let present = transaction.count("spends", &[eq("import_id", self.id)])?;
        Ok(u64::try_from(self.rows_written).ok() == Some(present))
    }

    /// Whether no later file has replaced any of its rows.
    pub fn is_in_force(&self) -> bool {
        let written = self.report.as_ref().and_then(|report| i64::try_from(report.rows_written).ok());
        written == Some(self.rows_written)
    }
}

/// Finished imports of files with this size, except the current import.
pub fn of_size(transaction: &Transaction<'_>, job: &Job, bytes: u64) -> Result<Vec<Earlier>, StoreError> {
    let size = i64::try_from(bytes).unwrap_or(i64::MAX);
    let columns = ["id", "sha256", "report", "rows_written"];
    let finished = one_of("state", vec!["done".into(), "done_with_skips".into()]);
    let rows = transaction.select(TABLE, &columns, &[eq("size_bytes", size), finished])?;
    Ok(rows
        .iter()
        .filter_map(|row| match row.as_slice() {
            [Value::Uuid(id), sha256, report, rows_written] if *id != job.import => Some(Earlier {
                id: *id,
                sha256: sha256.as_text()?.to_owned(),
                report: report.as_text().and_then(|json| serde_json::from_str(json).ok()),
                rows_written: rows_written.as_int().unwrap_or_default(),
            }),
            _ => None,
        })
        .collect())
}

/// Writes the import's row before others refer to it. If the service created the row when the file arrived, it is updated.
pub fn begin(transaction: &Transaction<'_>, job: &Job, report: &Report) -> Result<(), StoreError> {
    save(transaction, job, report, "running", None, 0)
}

/// The sequence number of the next delivery, in the order in which imports took effect.
pub fn next_sequence(transaction: &Transaction<'_>) -> Result<i64, StoreError> {
    let last = transaction.query::<Sequence>().order(imports::sequence.desc()).first()?;
    Ok(last.map_or(0, |last| last.sequence) + 1)
}

/// The current report of an import.
pub fn report(transaction: &Transaction<'_>, import: Uuid) -> Result<Option<Report>, StoreError> {
    let found = transaction.query::<ImportReport>().filter(imports::id.eq(Id::new(import))).first()?;
    Ok(found.and_then(|found| found.report.parse().ok()))
}

/// Stores the result of an import. `finished` is in µs since 1970 UTC.
pub fn finish(
    transaction: &Transaction<'_>,
    job: &Job,
    report: &Report,
    finished: i64,
    sequence: i64,
) -> Result<(), StoreError> {
    save(transaction, job, report, report.state.name(), Some(finished), sequence)
}

/// Records in an earlier import that a later file has replaced `rows` of its rows.
pub fn record_replaced_rows(
    transaction: &Transaction<'_>,
    import: Uuid,
    rows: u64,
    note: String,
) -> Result<(), StoreError> {
    let found = transaction.select(TABLE, &["rows_written", "report"], &[eq("id", import)])?;
    let Some([written, report]) = found.first().map(Vec::as_slice) else { return Ok(()) };
    let left = written.as_int().unwrap_or_default().saturating_sub_unsigned(rows).max(0);
    let mut set = vec![("rows_written", ValueRef::Int(left))];
    let mut report: Option<Report> = report.as_text().and_then(|json| serde_json::from_str(json).ok());
    if let Some(report) = &mut report {
        report.notes.push(note);
    }
    let json = report.map(|report| serde_json::to_string(&report).expect("a report has text keys only"));
    if let Some(json) = &json {
        set.push(("report", ValueRef::Json(json)));
    }
    transaction.update(TABLE, &[eq("id", import)], &set).map(drop)
}

/// Stores the export run of an import.
pub fn store_export_run(
    transaction: &Transaction<'_>,
    import: Uuid,
    delivery: &DeliveryReport,
) -> Result<(), StoreError> {
    let Some(mut found) = report(transaction, import)? else { return Ok(()) };
    found.delivery = Some(delivery.clone());
    let json = serde_json::to_string(&found).expect("a report has text keys only");
    let set = [("report", ValueRef::Json(&json)), ("export_key", export_key(&found).into())];
    transaction.update(TABLE, &[eq("id", import)], &set).map(drop)
}

/// Stores in an import's report how its costs relate to a bill according to the user, with the import of the bill.
pub fn store_bill_answer(
    transaction: &Transaction<'_>,
    import: Uuid,
    answer: BesideBill,
    by: Uuid,
) -> Result<(), StoreError> {
    change_forms(transaction, import, |forms| {
        forms.beside_bill = Some(answer);
        forms.beside_bill_by = Some(by);
    })
}

/// Removes the answer given with a bill from the report of an import.
pub fn remove_bill_answer(transaction: &Transaction<'_>, import: Uuid) -> Result<(), StoreError> {
    change_forms(transaction, import, |forms| {
        forms.beside_bill = None;
        forms.beside_bill_by = None;
    })
}

fn change_forms(
    transaction: &Transaction<'_>,
    import: Uuid,
    change: impl FnOnce(&mut FormAnswers),
) -> Result<(), StoreError> {
    let Some(mut found) = report(transaction, import)? else { return Ok(()) };
    change(&mut found.forms);
    let json = serde_json::to_string(&found).expect("a report has text keys only");
    transaction.update(TABLE, &[eq("id", import)], &[("report", ValueRef::Json(&json))]).map(drop)
}

fn export_key(report: &Report) -> Option<&str> {
    Some(report.delivery.as_ref()?.manifest.as_ref()?.export.as_str())
}

fn save(
    transaction: &Transaction<'_>,
    job: &Job,
    report: &Report,
    state: &str,
    finished: Option<i64>,
    sequence: i64,
) -> Result<(), StoreError> {
    let number = |count: u64| ValueRef::Int(i64::try_from(count).unwrap_or(i64::MAX));
    let time = |time: Option<&String>| {
        time.and_then(|text| parse_timestamp(text)).map_or(ValueRef::Null, ValueRef::Timestamp)
    };
    let json = serde_json::to_string(report).expect("a report has text keys only");
    let row = [
        ("id", job.import.into()),
        ("file_name", (&report.file_name).into()),
        ("size_bytes", number(report.size_bytes)),
        ("sha256", (&report.sha256).into()),
        ("format", report.format.as_ref().map(|format| format.id.as_str()).into()),
        ("state", state.into()),
        ("rows_read", number(report.rows_read)),
        ("rows_written", number(report.rows_written)),
        ("rows_skipped", number(report.rows_skipped)),
        ("period_start", time(report.period.as_ref().map(|period| &period.start))),
        ("period_end", time(report.period.as_ref().map(|period| &period.end))),
        ("report", ValueRef::Json(&json)),
        ("delivery_id", job.delivery.into()),
        ("export_key", export_key(report).into()),
        ("sequence", sequence.into()),
        ("created_by", job.user.into()),
        ("created_at", ValueRef::Timestamp(job.now)),
        ("finished_at", finished.map_or(ValueRef::Null, ValueRef::Timestamp)),
    ];
    transaction.upsert(TABLE, &["id"], &row, &["created_by", "created_at"])
}
