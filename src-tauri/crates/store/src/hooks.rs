//! Hooks: product code that runs on rows just written, in the same transaction.
//!
//! A trigger records the keys of written rows in a table of the writing session. No write is missed, and a rollback removes the records
//! too. In SQLite the triggers are temporary. In PostgreSQL they are permanent, and record nothing in sessions without that table.

use crate::backend::Backend;
use crate::bounds::Bounds;
use crate::driver::db::Db;
use crate::driver::sqlite::store_error;
use crate::sql::Dialect;
use crate::{StoreError, Transaction};
use catalogue::{Caller, Catalogue, Scalar, Table};
use rusqlite::Connection;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use uuid::Uuid;

/// A hook that runs when rows of a table are written.
#[derive(Clone, Copy)]
pub struct AfterWriteHook {
    pub table: &'static str,
    /// Updates count only if one of these columns changes. Inserts always count.
    pub columns: &'static [&'static str],
    /// Whether deletes count too.
    pub deletions: bool,
    /// Receives the ids of the written rows, of all tenants. May write more rows, or return an error that rolls everything back. Ids of
    /// rows that were deleted again are included.
    pub run: fn(&Transaction<'_>, &[Uuid]) -> Result<(), StoreError>,
}

/// Creates the triggers. Call once for an open database.
pub(crate) fn attach(
    backend: &Backend,
    catalogue: &Catalogue,
    hooks: &[AfterWriteHook],
) -> Result<(), StoreError> {
    match backend {
        Backend::Sqlite(connections) => attach_sqlite(&connections.writer(), catalogue, hooks),
        Backend::Postgres(connections) => connections.greet(NOTES, &postgres(catalogue, hooks)?),
    }
}

/// The table and the name of its key; fails if the table or a column of the hook does not exist.
fn resolved<'c>(catalogue: &'c Catalogue, hook: &AfterWriteHook) -> Result<(&'c Table, &'c str), StoreError> {
    let unknown = || StoreError::UnknownTable(hook.table.to_owned());
    let table = catalogue.table(catalogue.find(hook.table).ok_or_else(unknown)?);
    for column in hook.columns {
        let unknown =
            || StoreError::UnknownColumn { table: table.name.clone(), column: (*column).to_owned() };
        table.find_column(column).ok_or_else(unknown)?;
    }
    Ok((table, key(table).ok_or_else(unknown)?))
}

/// Creates the table for recorded keys in a PostgreSQL session.
const NOTES: &str = "CREATE TEMP TABLE \"follow#notes\" (follow text NOT NULL, key uuid NOT NULL, PRIMARY KEY (follow, key)) \
                     ON COMMIT DELETE ROWS";

/// Statements that create the missing functions and triggers in PostgreSQL.
fn postgres(catalogue: &Catalogue, hooks: &[AfterWriteHook]) -> Result<Vec<String>, StoreError> {
    let mut statements = Vec::new();
    for hook in hooks {
        let (table, key) = resolved(catalogue, hook)?;
        let (name, notes) = (&table.name, notes(hook));
        // PostgreSQL limits names to 63 bytes.
        let digest: String =
            Sha256::digest(&notes).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let columns: Vec<String> = hook.columns.iter().map(|column| format!("\"{column}\"")).collect();
        let update =
            if columns.is_empty() { String::new() } else { format!(" OR UPDATE OF {}", columns.join(", ")) };
        let delete = if hook.deletions { " OR DELETE" } else { "" };
        statements.push(format!(
            "CREATE OR REPLACE FUNCTION \"follow#{digest}\"() RETURNS trigger LANGUAGE plpgsql AS $note$ BEGIN \
             IF to_regclass('pg_temp.\"follow#notes\"') IS NULL THEN RETURN NULL; END IF; \
             IF TG_OP = 'DELETE' THEN \
             INSERT INTO pg_temp.\"follow#notes\" VALUES ('{notes}', OLD.\"{key}\") ON CONFLICT DO NOTHING; ELSE \
             INSERT INTO pg_temp.\"follow#notes\" VALUES ('{notes}', NEW.\"{key}\") ON CONFLICT DO NOTHING; END IF; \
             RETURN NULL; END $note$"
        ));
        statements.push(format!(
            "DO $make$ BEGIN IF NOT EXISTS (SELECT 1 FROM pg_trigger WHERE tgname = 'follow#{digest}' \
             AND tgrelid = to_regclass('\"{name}\"')) THEN \
             CREATE TRIGGER \"follow#{digest}\" AFTER INSERT{update}{delete} ON \"{name}\" \
             FOR EACH ROW EXECUTE FUNCTION \"follow#{digest}\"(); END IF; END $make$"
        ));
    }
    Ok(statements)
}

fn attach_sqlite(
    connection: &Connection,
    catalogue: &Catalogue,
    hooks: &[AfterWriteHook],
) -> Result<(), StoreError> {
    for hook in hooks {
        let (table, key) = resolved(catalogue, hook)?;
        let mut sql = format!(
            "CREATE TEMP TABLE \"{notes}\" (key BLOB PRIMARY KEY) WITHOUT ROWID; \
             CREATE TEMP TRIGGER \"{notes}+\" AFTER INSERT ON main.\"{table}\" BEGIN {note} END; ",
            notes = notes(hook),
            table = table.name,
            note = note(hook, "NEW", key),
        );
        if hook.deletions {
            let _ = write!(
                sql,
                "CREATE TEMP TRIGGER \"{notes}-\" AFTER DELETE ON main.\"{table}\" BEGIN {note} END; ",
                notes = notes(hook),
                table = table.name,
                note = note(hook, "OLD", key),
            );
        }
        for column in hook.columns {
            let _ = write!(
                sql,
                "CREATE TEMP TRIGGER \"{notes}.{column}\" AFTER UPDATE OF \"{column}\" ON main.\"{table}\" BEGIN {note} END; ",
                notes = notes(hook),
                table = table.name,
                note = note(hook, "NEW", key),
            );
        }
        connection.execute_batch(&sql).map_err(store_error)?;
    }
    Ok(())
}

/// The primary key column, if it is a single uuid.
fn key(table: &Table) -> Option<&str> {
    let [key] = table.primary_key[..] else { return None };
    let column = table.column(key);
    (column.scalar == Scalar::Uuid).then_some(column.name.as_str())
}

/// The name of the hook's records; several hooks may watch different columns of one table.
fn notes(hook: &AfterWriteHook) -> String {
    let deletions = if hook.deletions { "-" } else { "" };
    format!("follow#{}#{}{deletions}", hook.table, hook.columns.join("+"))
}

/// The statement that records a key once. OR IGNORE cannot be used: inside a trigger the conflict clause of the outer statement applies,
/// and that of an upsert is ABORT.
fn note(hook: &AfterWriteHook, row: &str, key: &str) -> String {
    let notes = notes(hook);
    format!(
        "INSERT INTO \"{notes}\" SELECT {row}.\"{key}\" WHERE NOT EXISTS (SELECT 1 FROM \"{notes}\" WHERE key = {row}.\"{key}\");"
    )
}

/// Runs the hooks until no recorded keys are left.
pub(crate) fn run(
    connection: Db<'_>,
    catalogue: &Catalogue,
    hooks: &[AfterWriteHook],
    now: i64,
    bounds: Bounds,
) -> Result<(), StoreError> {
    let system = Caller::system();
    let mut is_quiet = false;
    while !is_quiet {
        is_quiet = true;
        for hook in hooks {
            let ids = take(connection, hook).map_err(store_error)?;
            if !ids.is_empty() {
                is_quiet = false;
                (hook.run)(&Transaction::new(connection, catalogue, &system, now, bounds), &ids)?;
            }
        }
    }
    Ok(())
}

/// Deletes the recorded keys.
pub(crate) fn clear(connection: Db<'_>, hooks: &[AfterWriteHook]) -> Result<(), StoreError> {
    for hook in hooks {
        take(connection, hook).map_err(store_error)?;
    }
    Ok(())
}

fn take(connection: Db<'_>, hook: &AfterWriteHook) -> rusqlite::Result<Vec<Uuid>> {
    let notes = notes(hook);
    let (from, all) = match connection.dialect() {
        Dialect::Sqlite => (format!("\"{notes}\""), String::new()),
        Dialect::Postgres => ("pg_temp.\"follow#notes\"".to_owned(), format!(" WHERE follow = '{notes}'")),
    };
    let mut statement = connection.prepare_cached(&format!("SELECT key FROM {from}{all} ORDER BY key"))?;
    let mut rows = statement.query();
    let mut ids = Vec::new();
    while let Some(row) = rows.next()? {
        ids.push(Uuid::from_bytes(row.get(0)?));
    }
    drop(rows);
    if !ids.is_empty() {
        connection.prepare_cached(&format!("DELETE FROM {from}{all}"))?.execute()?;
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::AfterWriteHook;
    use crate::{Store, StoreError, Transaction, eq};
    use catalogue::{Caller, Catalogue, Source};
    use std::path::Path;
    use std::sync::Arc;
    use uuid::Uuid;

    const SCHEMA: &str = r#"
"A house."
type tenant @table(scope: house, exposed: false) { id: uuid! @key }
"A boat."
type boats @table(tenant: "tenant", account: all) { id: uuid! @key tenant: uuid! name: String! state: String }
"#;
    const TENANT: Uuid = Uuid::from_u128(1);
    const BOAT: Uuid = Uuid::from_u128(2);
    const HOOK: AfterWriteHook =
        AfterWriteHook { table: "boats", columns: &["state"], deletions: true, run: christen };

    /// Sets new boats afloat; refuses wrecks and the deletion of the last boat.
    fn christen(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
        for id in ids {
            let found = rows.select("boats", &["state"], &[eq("id", *id)])?;
            if found.is_empty() && rows.count("boats", &[])? == 0 {
                return Err(StoreError::Denied);
            }
            match found.first().map(|row| row[0].as_text()) {
                Some(Some("wreck")) => return Err(StoreError::Denied),
                Some(None) => drop(rows.update("boats", &[eq("id", *id)], &[("state", "afloat".into())])?),
                _ => {}
            }
        }
        Ok(())
    }

    fn store(folder: &Path) -> Store {
        let catalogue = Catalogue::parse(&[Source { name: "tables/boats.graphql", text: SCHEMA }]).unwrap();
        let store = Store::open(&folder.join("boats.db"), Arc::new(catalogue)).unwrap();
        store.with_hooks(&[HOOK]).unwrap()
    }

    fn add(rows: &Transaction<'_>) -> Result<(), StoreError> {
        rows.insert("boats", &[("id", BOAT.into()), ("name", "Gull".into())])
    }

    fn states(store: &Store) -> Vec<Option<String>> {
        let look = |rows: &Transaction<'_>| rows.select("boats", &["state"], &[]);
        let rows = store.snapshot(&Caller::system_for(TENANT), look).unwrap();
        rows.iter().map(|row| row[0].as_text().map(str::to_owned)).collect()
    }

    #[test]
    fn what_follows_from_a_row_is_done_in_its_transaction() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        store.transaction(&Caller::system_for(TENANT), add).unwrap();
        assert_eq!(states(&store), [Some("afloat".to_owned())]);
    }

    #[test]
    fn a_row_that_is_written_over_several_times_in_a_transaction_is_noted_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        let twice = |rows: &Transaction<'_>| -> Result<(), StoreError> {
            let row = [("id", BOAT.into()), ("name", "Gull".into()), ("state", "new".into())];
            rows.upsert("boats", &["id"], &row, &[])?;
            rows.upsert("boats", &["id"], &row, &[])?;
            rows.upsert("boats", &["id"], &row, &[])
        };
        store.transaction(&Caller::system_for(TENANT), twice).unwrap();
        assert_eq!(states(&store), [Some("new".to_owned())]);
    }

    #[test]
    fn what_follows_may_refuse_and_then_nothing_stays() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        let caller = Caller::system_for(TENANT);
        store.transaction(&caller, add).unwrap();
        let wreck = |rows: &Transaction<'_>| -> Result<u64, StoreError> {
            rows.update("boats", &[], &[("state", "wreck".into())])
        };
        assert!(matches!(store.transaction(&caller, wreck), Err(StoreError::Denied)));
        assert_eq!(states(&store), [Some("afloat".to_owned())]);
        store.transaction(&caller, |rows| rows.update("boats", &[], &[("name", "Tern".into())])).unwrap();
    }

    #[test]
    fn a_row_that_goes_is_followed_where_that_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        let caller = Caller::system_for(TENANT);
        store.transaction(&caller, add).unwrap();
        let sink = |rows: &Transaction<'_>| rows.delete("boats", &[eq("id", BOAT)]);
        assert!(matches!(store.transaction::<_, StoreError>(&caller, sink), Err(StoreError::Denied)));
        assert_eq!(states(&store), [Some("afloat".to_owned())]);
        let other = [("id", Uuid::from_u128(3).into()), ("name", "Tern".into())];
        store.transaction(&caller, |rows| rows.insert("boats", &other)).unwrap();
        store.transaction::<_, StoreError>(&caller, sink).unwrap();
        assert_eq!(states(&store).len(), 1);
    }

    #[test]
    fn nothing_follows_from_rows_that_are_written_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        let caller = Caller::system_for(TENANT);
        let load = |rows: &Transaction<'_>| {
            rows.disable_hooks();
            add(rows)
        };
        store.transaction(&caller, load).unwrap();
        assert_eq!(states(&store), [None]);
        // The hook does not run later either.
        store.transaction(&caller, |rows| rows.update("boats", &[], &[("name", "Tern".into())])).unwrap();
        assert_eq!(states(&store), [None]);
    }
}
