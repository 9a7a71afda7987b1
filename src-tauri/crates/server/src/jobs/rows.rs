//! The rows of `imports` that the service writes; a successful import writes its own row.

use super::Upload;
use catalogue::{Caller, ValueRef};
use model::tables::imports;
use model::{Read, row};
use store::{Store, StoreError, Transaction, eq, one_of};
use uuid::Uuid;

row! { struct ImportRow from imports { file_name, size_bytes, state, sha256, report } }
row! { struct UnfinishedRow from imports { tenant_id, id, file_name, size_bytes } }

/// A row of `imports`.
#[derive(Debug, Clone)]
pub struct Import {
    pub file_name: String,
    pub size_bytes: i64,
    pub state: String,
    /// Of the original bytes, lower-case hex.
    pub sha256: String,
    /// JSON text.
    pub report: String,
}

/// The import of that id, if the caller may read it.
pub fn find(store: &Store, caller: &Caller, id: Uuid) -> Result<Option<Import>, StoreError> {
    let found = store.snapshot(caller, |rows| rows.find::<ImportRow>(id))?;
    Ok(found.map(|row| Import {
        file_name: row.file_name,
        size_bytes: row.size_bytes,
        state: row.state,
        sha256: row.sha256,
        report: row.report.text().to_owned(),
    }))
}

/// Stores a waiting upload, unless it is stored already.
pub(super) fn wait(store: &Store, upload: &Upload) -> Result<(), StoreError> {
    store.transaction(&Caller::system_for(upload.tenant), |rows| add_waiting(rows, upload))
}

/// Stores a waiting upload within a transaction of its tenant.
pub(super) fn add_waiting(rows: &Transaction<'_>, upload: &Upload) -> Result<(), StoreError> {
    if rows.count("imports", &[eq("id", upload.id)])? > 0 {
        return Ok(());
    }
    rows.insert(
        "imports",
        &[
            ("id", upload.id.into()),
            ("file_name", upload.file_name.as_str().into()),
            ("size_bytes", i64::try_from(upload.size_bytes).unwrap_or(i64::MAX).into()),
            ("sha256", upload.sha256.as_str().into()),
            ("state", "waiting".into()),
            ("rows_read", ValueRef::Int(0)),
            ("rows_written", ValueRef::Int(0)),
            ("rows_skipped", ValueRef::Int(0)),
            ("report", ValueRef::Json("{}")),
            ("created_by", upload.user.into()),
            ("created_at", ValueRef::Timestamp(upload.received_at)),
        ],
    )
}

pub(super) fn run(store: &Store, upload: &Upload) -> Result<(), StoreError> {
    store.transaction(&Caller::system_for(upload.tenant), |rows| {
        rows.update("imports", &[eq("id", upload.id)], &[("state", "running".into())])?;
        Ok(())
    })
}

/// Stores that an import failed, with its report.
pub(super) fn fail(store: &Store, tenant: Uuid, id: Uuid, report: &str, now: i64) -> Result<(), StoreError> {
    store.transaction(&Caller::system_for(tenant), |rows| {
        let set = [
            ("state", "failed".into()),
            ("report", ValueRef::Json(report)),
            ("finished_at", ValueRef::Timestamp(now)),
        ];
        rows.update("imports", &[eq("id", id)], &set)?;
        Ok(())
    })
}

/// Removes the row of a cancelled upload.
pub(super) fn remove(store: &Store, upload: &Upload) -> Result<(), StoreError> {
    store.transaction(&Caller::system_for(upload.tenant), |rows| {
        let unfinished = one_of("state", vec!["waiting".into(), "running".into()]);
        rows.delete("imports", &[eq("id", upload.id), unfinished])?;
        Ok(())
    })
}

/// The imports stored as unfinished: (tenant, id, file name, size).
pub(super) fn unfinished(store: &Store) -> Result<Vec<(Uuid, Uuid, String, i64)>, StoreError> {
    store.snapshot(&Caller::system(), |rows| {
        let unfinished = imports::state.one_of(["waiting", "running"]);
        let found = rows.query::<UnfinishedRow>().filter(unfinished).rows()?;
        let one = |row: UnfinishedRow| (row.tenant_id.uuid(), row.id.uuid(), row.file_name, row.size_bytes);
        Ok(found.into_iter().map(one).collect())
    })
}

/// Whether an import has ended.
pub(super) fn is_finished(store: &Store, upload: &Upload) -> Result<bool, StoreError> {
    let found = find(store, &Caller::system(), upload.id)?;
    Ok(found.is_some_and(|import| !matches!(import.state.as_str(), "waiting" | "running")))
}
