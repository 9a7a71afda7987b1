//! Rows of models and of downloads.

use crate::library::{Model, Trust};
use crate::record::Record;
use catalogue::{Value, ValueRef};
use store::{StoreError, Transaction, eq};

const FILES: &str = "model_file";
const DOWNLOADS: &str = "model_download";
const COLUMNS: [&str; 9] =
    ["name", "sha256", "size_bytes", "trust", "told_by", "source", "origin", "installed_at", "checked_at"];

pub(crate) fn text(value: &Value) -> String {
    value.as_text().unwrap_or_default().to_owned()
}

fn time(value: &Value) -> i64 {
    match value {
        Value::Timestamp(time) => *time,
        _ => 0,
    }
}

fn size(value: &Value) -> u64 {
    match value {
        Value::Int(number) => u64::try_from(*number).unwrap_or_default(),
        _ => 0,
    }
}

/// The models that are here, by name.
pub(crate) fn models(rows: &Transaction<'_>) -> Result<Vec<Model>, StoreError> {
    let mut models: Vec<Model> = rows
        .select(FILES, &COLUMNS, &[])?
        .iter()
        .map(|row| Model {
            name: text(&row[0]),
            sha256: text(&row[1]),
            size_bytes: size(&row[2]),
            trust: Trust::of(&text(&row[3])),
            told_by: text(&row[4]),
            source: text(&row[5]),
            origin: text(&row[6]),
            installed_at: time(&row[7]),
            checked_at: time(&row[8]),
        })
        .collect();
    models.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(models)
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

/// Every download that has not ended well, by name. A record that this version cannot read is left out.
pub(crate) fn records(rows: &Transaction<'_>) -> Result<Vec<Record>, StoreError> {
    let mut records = Vec::new();
    for row in rows.select(DOWNLOADS, &["name", "record"], &[])? {
        match serde_json::from_str::<Record>(&json(&row[1])) {
            Ok(record) => records.push(record),
            Err(error) => {
                tracing::warn!(model = text(&row[0]), "where a download stood cannot be read: {error}");
            }
        }
    }
    records.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(records)
}

fn json(value: &Value) -> String {
    match value {
        Value::Json(text) | Value::Text(text) => text.clone(),
        _ => String::new(),
    }
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
