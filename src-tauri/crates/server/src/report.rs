//! The health report of this instance: its contents, free disk space and latest import.
//!
//! Administrators of the instance get the whole report; administrators of another tenant get their own tenant's part.

use crate::app::App;
use crate::data::directory::{database_in, size_on_disk};
use crate::listen::pages;
use catalogue::{Caller, Scope, TableKind, format_timestamptz};
use model::tables::imports;
use model::{Read, row};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use store::{Store, StoreError, Transaction};

/// The response of `/api/health/report`. Sizes are in bytes, times are ISO 8601 in UTC.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "HealthReport")]
pub struct Report {
    checked_at: String,
    started_at: String,
    version: &'static str,
    /// Operating system and processor architecture, such as "linux x86_64".
    system: String,
    /// Whether the web pages are built into this program.
    pages: bool,
    /// Null for administrators of any tenant other than the first.
    database: Option<Database>,
    /// The disk that holds the database. Null if the system does not report it, and wherever `database` is null.
    disk: Option<Disk>,
    /// The most recent completed import of the caller's tenant.
    last_import: Option<Import>,
    /// Number of waiting and running imports of the tenant.
    unfinished_imports: usize,
    /// Problems with automatic backups, as texts. Empty for administrators of any tenant other than the first.
    backup_troubles: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "DatabaseSize")]
struct Database {
    /// Size including recent writes that are not in the main database file yet.
    bytes: u64,
    tables: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "DiskRoom")]
struct Disk {
    free_bytes: u64,
    total_bytes: u64,
}

row! {
    struct ImportRow from imports { created_at, file_name, state, format, rows_written, rows_skipped, finished_at }
}

/// The result of an import.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "LastImport")]
pub struct Import {
    file_name: String,
    /// `waiting` or `running`, then `done`, `done_with_skips`, `unchanged` or `failed`.
    state: String,
    format: Option<String>,
    rows_written: i64,
    rows_skipped: i64,
    created_at: String,
    finished_at: Option<String>,
}

/// The result of an import, without the file name.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ImportOutcome {
    /// The file name extension, such as `*.csv`.
    file: Option<String>,
    state: String,
    format: Option<String>,
    rows_written: i64,
    rows_skipped: i64,
    created_at: String,
    finished_at: Option<String>,
}

/// The health report, limited to the caller's access. `now` is in µs since 1970 UTC.
pub fn make(app: &App, caller: &Caller, now: i64) -> Result<Report, StoreError> {
    let imports = imports(&app.store, caller)?;
    let unfinished = imports.iter().filter(|import| import.finished_at.is_none()).count();
    let is_of_instance = caller.tenant() == Some(app.access.home);
    let database = is_of_instance.then(|| Database {
        bytes: size_on_disk(&database_in(&app.facts.data_dir)),
        tables: app.store.catalogue().tables.len(),
    });
    let room = if is_of_instance { fs4::statvfs(&app.facts.data_dir).ok() } else { None };
    Ok(Report {
        checked_at: format_timestamptz(now),
        started_at: format_timestamptz(app.facts.started),
        version: env!("CARGO_PKG_VERSION"),
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        pages: pages::are_built(),
        database,
        disk: room.map(|room| Disk { free_bytes: room.available_space(), total_bytes: room.total_space() }),
        last_import: imports.into_iter().find(|import| import.finished_at.is_some()),
        unfinished_imports: unfinished,
        backup_troubles: if is_of_instance { app.backups.service.troubles()? } else { Vec::new() },
    })
}

/// The number of rows in each table that `counter` can read, and the latest 20 imports of the caller's tenant without file names.
pub fn contents(
    store: &Store,
    caller: &Caller,
    counter: &Caller,
) -> Result<(BTreeMap<String, u64>, Vec<ImportOutcome>), StoreError> {
    let is_of_house = counter.tenant().is_none();
    let counts = store.snapshot(counter, |rows| {
        // A view stores no rows, and a view with parameters does not exist in the database.
        let tables = store.catalogue().tables.iter();
        tables
            .filter(|table| !matches!(table.kind, TableKind::View { .. }))
            // Rows without a tenant, or of the service itself, do not belong to a tenant.
            .filter(|table| is_of_house || matches!(table.scope, Scope::Tenant(_) | Scope::Through(_)))
            .map(|table| Ok((table.name.clone(), rows.count(&table.name, &[])?)))
            .collect::<Result<_, StoreError>>()
    })?;
    let latest = imports(store, caller)?.into_iter().take(20);
    let told = latest
        .map(|import| {
            let extension = import.file_name.rsplit_once('.').map(|(_, extension)| extension);
            ImportOutcome {
                file: extension.map(|extension| format!("*.{extension}")),
                state: import.state,
                format: import.format,
                rows_written: import.rows_written,
                rows_skipped: import.rows_skipped,
                created_at: import.created_at,
                finished_at: import.finished_at,
            }
        })
        .collect();
    Ok((counts, told))
}

/// The imports of the caller's tenant, newest first.
fn imports(store: &Store, caller: &Caller) -> Result<Vec<Import>, StoreError> {
    let newest = |rows: &Transaction<'_>| {
        rows.query::<ImportRow>().order(imports::created_at.desc()).order(imports::id.asc()).rows()
    };
    Ok(store.snapshot(caller, newest)?.into_iter().map(import).collect())
}

fn import(row: ImportRow) -> Import {
    Import {
        created_at: format_timestamptz(row.created_at.micros()),
        file_name: row.file_name,
        state: row.state,
        format: row.format,
        rows_written: row.rows_written,
        rows_skipped: row.rows_skipped,
        finished_at: row.finished_at.map(|at| format_timestamptz(at.micros())),
    }
}
