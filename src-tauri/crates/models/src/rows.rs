//! Database rows of models and downloads.

use crate::installed::{Model, Trust};
use crate::record::Record;
use catalogue::ValueRef;
use model::tables::{model_download, model_file};
use model::{ModelFile, Read as _, row};
use store::{StoreError, Transaction, eq};

const FILES: &str = "model_file";
const DOWNLOADS: &str = "model_download";

row! { struct DownloadRow from model_download { name, record } }
row! { struct SettingValue from setting { value } }

/// The saved value of a setting.
pub(crate) fn setting(rows: &Transaction<'_>, name: &str) -> Result<Option<String>, StoreError> {
    Ok(rows.find::<SettingValue>(name)?.map(|saved| saved.value.expose()))
}

/// The installed models, by name.
pub(crate) fn models(rows: &Transaction<'_>) -> Result<Vec<Model>, StoreError> {
    let files = rows.query::<ModelFile>().order(model_file::name.asc()).rows()?;
    let model = |file: ModelFile| Model {
        name: file.name,
        sha256: file.sha256,
        size_bytes: u64::try_from(file.size_bytes).unwrap_or_default(),
        trust: Trust::of(&file.trust),
        told_by: file.told_by,
        source: file.source,
        origin: file.origin,
        installed_at: file.installed_at.micros(),
        checked_at: file.checked_at.micros(),
    };
    Ok(files.into_iter().map(model).collect())
}

pub(crate) fn put_model(rows: &Transaction<'_>, model: &Model) -> Result<(), StoreError> {
    let row = [
        ("name", model.name.as_str().into()),
        ("sha256", model.sha256.as_str().into()),
        ("size_bytes", ValueRef::Int(i64::try_from(model.size_bytes).unwrap_or(i64::MAX))),
        ("trust", model.trust.as_str().into()),
        ("told_by", model.told_by.as_str().into()),
        ("source", model.source.as_str().into()),
        ("origin", model.origin.as_str().into()),
        ("installed_at", ValueRef::Timestamp(model.installed_at)),
        ("checked_at", ValueRef::Timestamp(model.checked_at)),
    ];
    rows.upsert(FILES, &["name"], &row, &[])
}

pub(crate) fn remove_model(rows: &Transaction<'_>, name: &str) -> Result<u64, StoreError> {
    rows.delete(FILES, &[eq("name", name)])
}

/// All downloads that have not succeeded, by name. Records that this version cannot parse are skipped.
pub(crate) fn records(rows: &Transaction<'_>) -> Result<Vec<Record>, StoreError> {
    let mut records = Vec::new();
    for row in rows.query::<DownloadRow>().order(model_download::name.asc()).rows()? {
        match row.record.parse::<Record>() {
            Ok(record) => records.push(record),
            Err(error) => {
                tracing::warn!(model = row.name, "where a download stood cannot be read: {error}");
            }
        }
    }
    Ok(records)
}

pub(crate) fn put_record(rows: &Transaction<'_>, record: &Record, now: i64) -> Result<(), StoreError> {
    let text = serde_json::to_string(record).map_err(|error| StoreError::Database(Box::new(error)))?;
    let row = [
        ("name", record.name.as_str().into()),
        ("state", record.state.as_str().into()),
        ("record", ValueRef::Json(&text)),
        ("updated_at", ValueRef::Timestamp(now)),
    ];
    rows.upsert(DOWNLOADS, &["name"], &row, &[])
}

pub(crate) fn remove_record(rows: &Transaction<'_>, name: &str) -> Result<u64, StoreError> {
    rows.delete(DOWNLOADS, &[eq("name", name)])
}
