//! Opening a database: a new one is created from the catalogue, an older one gains what the catalogue has gained.

use crate::ddl;
use crate::driver::sqlite::{connect_writer, has_only_its_log, store_error};
use crate::error::OpenError;
use crate::json::Cell;
use crate::{citext, lookups, marks, search, segments};
use catalogue::{Catalogue, Default, Table, TableKind};
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Marks the file as ours ("QDCK").
const APPLICATION_ID: i64 = 0x5144_434B;
/// Counts changes that need a migration; additions do not count.
const SCHEMA_VERSION: i64 = 1;

/// A database file that is open, and in order as far as that can be told without a catalogue: empty, or ours and of no later version.
pub struct DatabaseFile {
    pub(crate) path: PathBuf,
    connection: Connection,
}

impl DatabaseFile {
    /// Opens the file, creating it when it is not there.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        if has_only_its_log(path) {
            return Err(OpenError::Lost { path: path.to_owned() });
        }
        let connection = connect_writer(path).map_err(|error| match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::NotADatabase) => OpenError::NotOurs { path: path.to_owned() },
            _ => OpenError::Cannot { path: path.to_owned(), cause: store_error(error) },
        })?;
        is_new(&connection, path)?;
        Ok(Self { path: path.to_owned(), connection })
    }
}

/// Whether nothing is in the database yet; what is there is ours and of no later version.
fn is_new(connection: &Connection, path: &Path) -> Result<bool, OpenError> {
    let cannot = |cause| OpenError::Cannot { path: path.to_owned(), cause: store_error(cause) };
    let first = connection.query_row("SELECT 1 FROM sqlite_schema LIMIT 1", [], |_| Ok(()));
    if first.optional().map_err(cannot)?.is_none() {
        return Ok(true);
    }
    if pragma(connection, "application_id").map_err(cannot)? != APPLICATION_ID {
        return Err(OpenError::NotOurs { path: path.to_owned() });
    }
    let found = pragma(connection, "user_version").map_err(cannot)?;
    if found > SCHEMA_VERSION {
        return Err(newer(path, found));
    }
    Ok(false)
}

fn newer(path: &Path, found: i64) -> OpenError {
    OpenError::Newer { path: path.to_owned(), found, known: SCHEMA_VERSION }
}

/// Brings what is in the file up to the catalogue, in one transaction.
pub(crate) fn bring_up(file: DatabaseFile, catalogue: &Catalogue) -> Result<Connection, OpenError> {
    let DatabaseFile { path, mut connection } = file;
    let cannot = |cause| OpenError::Cannot { path: path.clone(), cause: store_error(cause) };
    citext::order_indices(&connection, catalogue).map_err(|error| citext_error(&path, error))?;
    // Most databases need nothing, and while another process imports a long file nobody could write to this one.
    if is_current(&connection, catalogue).map_err(cannot)? {
        return Ok(connection);
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(cannot)?;
    // Another process may have been here since it was opened.
    if is_new(&transaction, &path)? {
        for statement in ddl::sqlite(catalogue) {
            transaction.execute_batch(&statement).map_err(cannot)?;
        }
        transaction
            .execute_batch(&format!(
                "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION}"
            ))
            .map_err(cannot)?;
    } else {
        match additions(&transaction, catalogue).map_err(cannot)? {
            Difference::Additions(statements) => {
                for statement in statements {
                    transaction.execute_batch(&statement).map_err(cannot)?;
                }
            }
            // Nothing is ever taken away without raising the version, so what is unknown here was added later.
            Difference::Unknown => {
                let found = pragma(&transaction, "user_version").map_err(cannot)?;
                return Err(newer(&path, found));
            }
            Difference::Other(difference) => {
                return Err(OpenError::NeedsMigration { path: path.clone(), difference });
            }
        }
    }
    fill_lookups(&transaction, catalogue).map_err(cannot)?;
    transaction.commit().map_err(cannot)?;
    Ok(connection)
}

/// Whether there is nothing to create, add or refuse.
fn is_current(connection: &Connection, catalogue: &Catalogue) -> rusqlite::Result<bool> {
    let snapshot = connection.unchecked_transaction()?;
    if pragma(&snapshot, "application_id")? != APPLICATION_ID
        || pragma(&snapshot, "user_version")? != SCHEMA_VERSION
    {
        return Ok(false);
    }
    let is_complete = matches!(
        additions(&snapshot, catalogue)?,
        Difference::Additions(statements) if statements.is_empty()
    );
    Ok(is_complete && are_lookups_filled(&snapshot, catalogue)?)
}

/// Two names that differ in the case of letters beyond ASCII have become one.
fn citext_error(path: &Path, error: rusqlite::Error) -> OpenError {
    let path = path.to_owned();
    let text = error.to_string();
    match text.split_once("UNIQUE constraint failed: ") {
        Some((_, columns)) => OpenError::NeedsMigration {
            path,
            difference: format!(
                "two rows have the same {columns} when case does not count: rename one of them"
            ),
        },
        None => OpenError::Cannot { path, cause: store_error(error) },
    }
}

fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0))
}

/// How a database differs from the catalogue.
enum Difference {
    /// It lacks what these statements add; none when it lacks nothing.
    Additions(Vec<String>),
    /// It has tables or columns the catalogue does not know.
    Unknown,
    Other(String),
}

fn additions(connection: &Connection, catalogue: &Catalogue) -> rusqlite::Result<Difference> {
    let mut statements = Vec::new();
    let existing =
        names(connection, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")?;
    let mut kept = segments::tables(catalogue);
    kept.extend(search::tables(catalogue));
    kept.extend(marks::tables(catalogue));
    let is_known = |name: &String| {
        catalogue.find(name).is_some()
            || kept.iter().any(|(known, _)| known == name)
            || search::is_kept(catalogue, name)
    };
    if !existing.iter().all(is_known) {
        return Ok(Difference::Unknown);
    }
    let indices = names(connection, "SELECT name FROM sqlite_schema WHERE type = 'index'")?;
    let views: HashMap<String, String> = connection
        .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'view'")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (_, table) in catalogue.iter() {
        if let TableKind::View { select, parameters } = &table.kind {
            let create = ddl::create_view(table, select);
            // A view holds nothing, so another one is simply made anew.
            if parameters.is_empty() && views.get(&table.name) != Some(&create) {
                statements.push(format!("DROP VIEW IF EXISTS \"{}\"", table.name));
                statements.push(create);
            }
            continue;
        }
        if !existing.contains(&table.name) {
            statements.push(ddl::create_table(catalogue, table));
            statements.extend(ddl::create_indices(table).into_iter().map(|(_, sql)| sql));
            continue;
        }
        match column_additions(connection, table)? {
            Difference::Additions(found) => statements.extend(found),
            other => return Ok(other),
        }
        let made = ddl::create_indices(table).into_iter();
        statements.extend(made.filter(|(name, _)| !indices.contains(*name)).map(|(_, sql)| sql));
    }
    statements.extend(kept.into_iter().filter(|(name, _)| !existing.contains(name)).map(|(_, sql)| sql));
    statements.extend(trigger_additions(connection, catalogue)?);
    Ok(Difference::Additions(statements))
}

/// Triggers hold nothing: those that differ are made anew, before anything is kept that they have to watch.
fn trigger_additions(connection: &Connection, catalogue: &Catalogue) -> rusqlite::Result<Vec<String>> {
    let existing: HashMap<String, String> = connection
        .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let mut wanted = segments::triggers(catalogue);
    wanted.extend(search::triggers(catalogue));
    wanted.extend(marks::triggers(catalogue));
    let gone = existing.keys().filter(|name| !wanted.iter().any(|(known, _)| known == *name));
    let mut statements: Vec<String> = gone.map(|name| format!("DROP TRIGGER \"{name}\"")).collect();
    for (name, sql) in wanted.into_iter().filter(|(name, sql)| existing.get(name) != Some(sql)) {
        statements.push(format!("DROP TRIGGER IF EXISTS \"{name}\""));
        statements.push(sql);
    }
    Ok(statements)
}

fn column_additions(connection: &Connection, table: &Table) -> rusqlite::Result<Difference> {
    let mut statement =
        connection.prepare("SELECT name, type, \"notnull\", pk FROM pragma_table_info(?1)")?;
    let existing: HashMap<String, (String, bool)> = statement
        .query_map([&table.name], |row| {
            Ok((row.get(0)?, (row.get(1)?, row.get::<_, bool>(2)? || row.get::<_, i64>(3)? > 0)))
        })?
        .collect::<rusqlite::Result<_>>()?;
    if existing.keys().any(|name| table.find_column(name).is_none()) {
        return Ok(Difference::Unknown);
    }
    let mut statements = Vec::new();
    for column in &table.columns {
        let place = format!("{}.{}", table.name, column.name);
        let Some((kind, not_null)) = existing.get(&column.name) else {
            if !column.nullable && !matches!(column.default, Some(Default::Literal(_))) {
                return Ok(Difference::Other(format!("{place} is new and has no value for existing rows")));
            }
            statements.push(format!("ALTER TABLE \"{}\" ADD COLUMN {}", table.name, ddl::column(column)));
            continue;
        };
        let wanted = ddl::kind(column);
        if !wanted.starts_with(kind.as_str()) {
            return Ok(Difference::Other(format!("{place} holds {kind}, the catalogue says {wanted}")));
        }
        if *not_null
            && column.nullable
            && !table.primary_key.iter().any(|id| table.column(*id).name == column.name)
        {
            return Ok(Difference::Other(format!("{place} refuses null, the catalogue allows it")));
        }
        if !*not_null && !column.nullable {
            return Ok(Difference::Other(format!("{place} allows null, the catalogue refuses it")));
        }
    }
    Ok(Difference::Additions(statements))
}

fn names(connection: &Connection, sql: &str) -> rusqlite::Result<HashSet<String>> {
    connection.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
}

/// Whether every row of every lookup is there as the catalogue has it.
fn are_lookups_filled(connection: &Connection, catalogue: &Catalogue) -> rusqlite::Result<bool> {
    for (_, table) in catalogue.iter() {
        let TableKind::Lookup { values, .. } = &table.kind else { continue };
        for value in values {
            let conditions: Vec<String> = (1..)
                .zip(&value.cells)
                .map(|(place, (column, _))| format!("\"{}\" IS ?{place}", table.column(*column).name))
                .collect();
            let sql = format!("SELECT 1 FROM \"{}\" WHERE {}", table.name, conditions.join(" AND "));
            let cells = value.cells.iter().map(|(_, cell)| Cell(cell.borrow()));
            if !connection.prepare_cached(&sql)?.exists(rusqlite::params_from_iter(cells))? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Lookup values are part of the catalogue: rows are added and described anew, never removed.
fn fill_lookups(connection: &Connection, catalogue: &Catalogue) -> rusqlite::Result<()> {
    for (id, table) in catalogue.iter() {
        let TableKind::Lookup { values, .. } = &table.kind else { continue };
        let key = &table.column(table.primary_key[0]).name;
        for value in values {
            lookups::follow(connection, catalogue, (id, table), value)?;
            let columns: Vec<String> =
                value.cells.iter().map(|(column, _)| format!("\"{}\"", table.column(*column).name)).collect();
            let places: Vec<String> = (1..=columns.len()).map(|place| format!("?{place}")).collect();
            let others = || columns.iter().filter(|column| **column != format!("\"{key}\""));
            let changes: Vec<String> =
                others().map(|column| format!("{column} = excluded.{column}")).collect();
            let differences: Vec<String> =
                others().map(|column| format!("{column} IS NOT excluded.{column}")).collect();
            let conflict = if changes.is_empty() {
                "DO NOTHING".to_owned()
            } else {
                format!("DO UPDATE SET {} WHERE {}", changes.join(", "), differences.join(" OR "))
            };
            let sql = format!(
                "INSERT INTO \"{}\" ({}) VALUES ({}) ON CONFLICT {conflict}",
                table.name,
                columns.join(", "),
                places.join(", ")
            );
            let cells = value.cells.iter().map(|(_, cell)| Cell(cell.borrow()));
            connection.prepare_cached(&sql)?.execute(rusqlite::params_from_iter(cells))?;
        }
    }
    Ok(())
}
