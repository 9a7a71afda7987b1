//! Updates a database to the catalogue in one transaction: additions, migrations, and objects derived from both.

use super::compare::{Comparison, compare};
use super::history::{self, AppliedMigration};
use super::{foreign_keys, lookups, rebuild};
use crate::driver::database_file::{APPLICATION_ID, MigrationStep, Progress, SCHEMA_VERSION, is_new};
use crate::driver::sqlite::{connect_copy, copy_pages, store_error};
use crate::error::{Difference, DifferenceKind};
use crate::{DatabaseFile, OpenError, StoreError, ddl};
use catalogue::{Catalogue, Migration};
use rusqlite::fallible_iterator::FallibleIterator as _;
use rusqlite::{Batch, Connection, TransactionBehavior};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What was done to a database, or would be done in a dry run.
#[derive(Debug, Default)]
pub struct Report {
    /// Whether the database was empty before.
    pub created: bool,
    /// Statements that added tables, columns, indices, views and triggers.
    pub additions: Vec<String>,
    /// Applied migrations with their notes.
    pub migrations: Vec<AppliedMigration>,
    /// Tables that were rebuilt to match the catalogue.
    pub rebuilt: Vec<String>,
    /// The copy of the database from before the migrations.
    pub copy: Option<PathBuf>,
}

/// Performs all necessary changes, or only tests whether they work (`dry_run`). Blocks the thread.
pub(super) fn migrate(
    file: &mut DatabaseFile,
    catalogue: &Catalogue,
    dry_run: bool,
) -> Result<Report, OpenError> {
    let DatabaseFile { path, connection, progress } = file;
    let cannot = |cause| OpenError::Cannot { path: path.clone(), cause: store_error(cause) };
    // Rebuilding a table drops it for a moment, although rows refer to it. Foreign keys cannot be switched off inside a transaction.
    connection.pragma_update(None, "foreign_keys", false).map_err(cannot)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(cannot)?;
    let mut work = Work {
        connection: &transaction,
        catalogue,
        path: path.as_path(),
        progress,
        report: Report::default(),
    };
    // Another process may have changed the database since the file was opened.
    if is_new(&transaction, path)? {
        work.create().map_err(cannot)?;
    } else {
        work.update_schema(dry_run)?;
    }
    let report = work.report;
    if dry_run {
        transaction.rollback().map_err(cannot)?;
    } else {
        transaction.commit().map_err(cannot)?;
        log(&report);
    }
    connection.pragma_update(None, "foreign_keys", true).map_err(cannot)?;
    Ok(report)
}

/// Notes contain row data, therefore only their number is logged.
fn log(report: &Report) {
    for AppliedMigration { number, name, notes, .. } in &report.migrations {
        let notes = notes.len();
        tracing::info!(
            number,
            name,
            notes,
            "a migration of the database was applied; `schema diff` shows its notes"
        );
    }
    if let Some(copy) = &report.copy {
        tracing::info!(copy = %copy.display(), "the database was copied before its migrations");
    }
}

/// The migration of one database.
struct Work<'a> {
    connection: &'a Connection,
    catalogue: &'a Catalogue,
    path: &'a Path,
    progress: &'a Progress,
    report: Report,
}

impl Work<'_> {
    fn create(&mut self) -> rusqlite::Result<()> {
        for statement in ddl::sqlite(self.catalogue) {
            self.connection.execute_batch(&statement)?;
        }
        self.connection.execute_batch(&history::create())?;
        for migration in &self.catalogue.migrations {
            history::record(self.connection, migration, crate::system_time(), &[])?;
        }
        self.report.created = true;
        lookups::fill(self.connection.into(), self.catalogue)?;
        self.stamp()
    }

    fn stamp(&self) -> rusqlite::Result<()> {
        self.connection.execute_batch(&format!(
            "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION}"
        ))
    }

    fn update_schema(&mut self, dry_run: bool) -> Result<(), OpenError> {
        let path = self.path.to_owned();
        let cannot = |cause| OpenError::Cannot { path: path.clone(), cause: store_error(cause) };
        let applied = history::applied(self.connection).map_err(cannot)?;
        history::check_known(self.path, self.catalogue, &applied)?;
        let pending = history::pending(self.catalogue, &applied);
        let comparison = compare(self.connection, self.catalogue).map_err(cannot)?;
        self.check(&comparison, &pending)?;
        if !pending.is_empty() && !dry_run {
            (self.progress)(MigrationStep::Copy);
            self.report.copy = Some(self.copy()?);
        }
        let referring = comparison.referring.clone();
        self.add(comparison, &pending).map_err(cannot)?;
        for migration in &pending {
            self.run(migration)?;
        }
        if !pending.is_empty() {
            self.reshape(&pending)?;
        }
        let rest = compare(self.connection, self.catalogue).map_err(cannot)?;
        for statement in rest.additions.iter().chain(&rest.derived) {
            self.connection.execute_batch(statement).map_err(cannot)?;
        }
        if pending.is_empty() {
            self.report.additions.extend(rest.derived);
        }
        let tables = if pending.is_empty() { Some(referring) } else { None };
        if !pending.is_empty() {
            (self.progress)(MigrationStep::References);
        }
        foreign_keys::check(self.connection, self.path, tables)?;
        for migration in self.report.migrations.iter().filter_map(|done| {
            self.catalogue.migrations.iter().find(|migration| migration.number == done.number).zip(Some(done))
        }) {
            let (migration, done) = migration;
            history::record(self.connection, migration, done.at, &done.notes).map_err(cannot)?;
        }
        self.stamp().map_err(cannot)
    }

    /// Refuses differences that are neither additions nor removed by a pending migration.
    fn check(&self, comparison: &Comparison, pending: &[&Migration]) -> Result<(), OpenError> {
        let is_allowed = |difference: &&Difference| {
            let Difference { table, column, kind } = difference;
            pending.iter().any(|migration| match kind {
                DifferenceKind::Unknown => migration.drops(table, column.as_deref()),
                DifferenceKind::NoValue | DifferenceKind::Changed { .. } => migration.rebuilds(table),
            })
        };
        let refused: Vec<Difference> =
            comparison.differences.iter().filter(|difference| !is_allowed(difference)).cloned().collect();
        if refused.is_empty() {
            return Ok(());
        }
        Err(OpenError::NeedsMigration { path: self.path.to_owned(), differences: refused })
    }

    /// Adds tables and columns, so that migrations can use them. A column that cannot be null allows null until migrations have filled it.
    fn add(&mut self, comparison: Comparison, pending: &[&Migration]) -> rusqlite::Result<()> {
        for statement in &comparison.additions {
            self.connection.execute_batch(statement)?;
        }
        self.report.additions = comparison.additions;
        if pending.is_empty() {
            return lookups::fill(self.connection.into(), self.catalogue);
        }
        for difference in comparison.differences.iter().filter(|one| one.kind == DifferenceKind::NoValue) {
            let table = self.catalogue.find(&difference.table).map(|id| self.catalogue.table(id));
            let column = table
                .zip(difference.column.as_ref())
                .and_then(|(table, name)| table.find_column(name).map(|id| table.column(id)));
            if let Some(column) = column {
                let (table, name, kind) = (&difference.table, &column.name, ddl::kind(column));
                self.connection
                    .execute_batch(&format!("ALTER TABLE \"{table}\" ADD COLUMN \"{name}\" {kind}"))?;
            }
        }
        lookups::fill(self.connection.into(), self.catalogue)
    }

    /// Runs the statements of one migration and stores the output of its SELECTs.
    fn run(&mut self, migration: &Migration) -> Result<(), OpenError> {
        let notes = notes(self.connection, &migration.text).map_err(|cause| OpenError::Migration {
            path: self.path.to_owned(),
            number: migration.number,
            name: migration.name.clone(),
            cause: Box::new(store_error(cause)),
        })?;
        self.report.migrations.push(AppliedMigration {
            number: migration.number,
            name: migration.name.clone(),
            checksum: history::checksum(migration),
            at: crate::system_time(),
            by: env!("CARGO_PKG_VERSION").to_owned(),
            notes,
        });
        Ok(())
    }

    /// Drops what migrations remove, and rebuilds tables that differ from the catalogue.
    fn reshape(&mut self, pending: &[&Migration]) -> Result<(), OpenError> {
        let path = self.path.to_owned();
        let cannot = |cause| OpenError::Cannot { path: path.clone(), cause: store_error(cause) };
        let comparison = compare(self.connection, self.catalogue).map_err(cannot)?;
        // A statement of a migration may itself have caused a difference.
        self.check(&comparison, pending)?;
        let names: BTreeSet<&str> = comparison.differences.iter().map(|one| one.table.as_str()).collect();
        if names.is_empty() {
            return Ok(());
        }
        drop_all(self.connection, "view").map_err(cannot)?;
        drop_all(self.connection, "trigger").map_err(cannot)?;
        for name in names {
            match self.catalogue.find(name) {
                None => self.connection.execute_batch(&format!("DROP TABLE \"{name}\"")).map_err(cannot)?,
                Some(id) => {
                    let table = self.catalogue.table(id);
                    tracing::info!(
                        table = name,
                        "a table is made anew in the shape of this version; many rows take a while"
                    );
                    rebuild::rebuild(self.connection, self.catalogue, table, self.progress).map_err(
                        |cause| OpenError::Rebuild {
                            path: path.clone(),
                            table: name.to_owned(),
                            cause: Box::new(crate::driver::constraint::constraint_error(table, cause)),
                        },
                    )?;
                    self.report.rebuilt.push(name.to_owned());
                }
            }
        }
        Ok(())
    }

    /// Copies the database to a file beside it. Nothing is written yet, and the lock of this transaction prevents other writes.
    fn copy(&self) -> Result<PathBuf, OpenError> {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".before-schema-{SCHEMA_VERSION}"));
        let copy = self.path.with_file_name(&name);
        name.push(".part");
        let part = self.path.with_file_name(name);
        copy_beside(self.path, &part, &copy).map_err(|cause| OpenError::NoCopy {
            path: self.path.to_owned(),
            copy: copy.clone(),
            cause: Box::new(cause),
        })?;
        Ok(copy)
    }
}

fn copy_beside(path: &Path, part: &Path, copy: &Path) -> Result<(), StoreError> {
    let on_disk = |cause: std::io::Error| match cause.kind() {
        std::io::ErrorKind::StorageFull => StoreError::DiskFull,
        _ => StoreError::Database(Box::new(cause)),
    };
    // Give the copy the permissions of the database before it has any content.
    fs::File::create(part).map_err(on_disk)?;
    let permissions = fs::metadata(path).map_err(on_disk)?.permissions();
    fs::set_permissions(part, permissions).map_err(on_disk)?;
    let source = connect_copy(path).map_err(store_error)?;
    copy_pages(&source, part).map_err(store_error)?;
    fs::rename(part, copy).map_err(on_disk)
}

/// Runs statements one by one; returns the first cell of each resulting row.
fn notes(connection: &Connection, sql: &str) -> rusqlite::Result<Vec<String>> {
    let mut notes = Vec::new();
    let mut statements = Batch::new(connection, sql);
    while let Some(mut statement) = statements.next()? {
        if statement.column_count() == 0 {
            statement.execute([])?;
            continue;
        }
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            notes.push(row.get::<_, String>(0)?.replace('\n', " "));
        }
    }
    Ok(notes)
}

fn drop_all(connection: &Connection, kind: &str) -> rusqlite::Result<()> {
    let names: Vec<String> = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = ?1")?
        .query_map([kind], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    names.iter().try_for_each(|name| connection.execute_batch(&format!("DROP {kind} \"{name}\"")))
}
