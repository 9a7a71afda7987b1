//! Finds the imports of an export's files and manifests.

use crate::manifest::{FORMAT, Manifest};
use crate::report::Report;
use catalogue::{Value, ValueRef};
use store::{StoreError, Transaction, one_of};
use uuid::Uuid;

/// The import of a manifest or of a file that a manifest lists.
#[derive(Debug, Clone)]
pub struct ExportImport {
    pub id: Uuid,
    pub name: String,
    pub sha256: String,
    pub size_bytes: u64,
    pub is_manifest: bool,
    pub state: RunState,
    pub report: Report,
    /// The run it belongs to.
    pub manifest: Manifest,
    /// The part of the run, as a path in the manifest.
    pub part: Option<String>,
}

/// The state of such an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunState {
    /// It waits for other parts or for an answer.
    Waiting,
    /// Its rows are stored.
    InForce,
    /// Undone, completely replaced, or without rows.
    Gone,
}

/// The waiting imports, and all imports of these exports.
pub fn find(transaction: &Transaction<'_>, exports: &[String]) -> Result<Vec<ExportImport>, StoreError> {
    let columns = ["id", "file_name", "sha256", "size_bytes", "format", "state", "rows_written", "report"];
    let waiting = one_of("state", vec!["waiting_for_parts".into(), "needs_decision".into()]);
    let mut rows = transaction.select("imports", &columns, &[waiting])?;
    if !exports.is_empty() {
        let keys = exports.iter().map(ValueRef::from).collect();
        let of_exports = transaction.select("imports", &columns, &[one_of("export_key", keys)])?;
        let is_new = |row: &Vec<Value>| !rows.iter().any(|other| other.first() == row.first());
        let new: Vec<_> = of_exports.into_iter().filter(is_new).collect();
        rows.extend(new);
    }
    Ok(rows.iter().filter_map(|row| stored(row)).collect())
}

fn stored(row: &[Value]) -> Option<ExportImport> {
    let [Value::Uuid(id), name, sha256, size, format, state, rows_written, report] = row else { return None };
    let report: Report = serde_json::from_str(report.as_text()?).ok()?;
    let delivery = report.delivery.as_ref()?;
    let manifest = Manifest::of_report(delivery.manifest.as_ref()?, &delivery.parts)?;
    let part = delivery.part.clone();
    let is_manifest = format.as_text() == Some(FORMAT);
    let run_state = match state.as_text()? {
        "waiting_for_parts" | "needs_decision" => RunState::Waiting,
        "done" | "done_with_skips" if is_manifest || rows_written.as_int()? > 0 => RunState::InForce,
        _ => RunState::Gone,
    };
    let text = |value: &Value| value.as_text().unwrap_or_default().to_owned();
    Some(ExportImport {
        id: *id,
        name: text(name),
        sha256: text(sha256),
        size_bytes: u64::try_from(size.as_int()?).ok()?,
        is_manifest,
        state: run_state,
        manifest,
        part,
        report,
    })
}
