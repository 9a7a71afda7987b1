//! Updates a PostgreSQL database to the catalogue.
//!
//! Servers that start together take turns. The database stores a digest of all statements; if it is equal, there is nothing to do.
//! Otherwise functions, views and triggers are recreated, and missing tables, columns, foreign keys and indices are added. Nothing is
//! removed. A change that requires a numbered migration is refused: no migration has statements for PostgreSQL yet, and a new database
//! needs none. Migrations that only rebuild SQLite tables do not apply here.

mod derived;
mod filling;

pub(crate) use filling::{FIND as UNFINISHED, begin as begin_filling, drop_constraints, end as end_filling};

use super::history;
use crate::driver::db::Db;
use crate::driver::postgres::Session;
use crate::driver::sqlite::store_error;
use crate::values::sqlite_value::Cell;
use crate::{OpenError, StoreError, ddl};
use catalogue::{Catalogue, Default, Migration, Table, TableKind};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
use std::path::Path;

const FUNCTIONS: &str = include_str!("functions.sql");
/// Advisory lock for updating the schema ("QDDB").
const LOCK: i64 = 0x5144_4442;

/// The purpose for which a database is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Use,
    /// To be filled with the rows of another database; an unfinished one is accepted.
    Fill,
}

/// Updates the database to the catalogue. `place` is its name in messages. Blocks the thread.
pub(crate) fn update_schema(
    session: &Session,
    catalogue: &Catalogue,
    place: &Path,
    purpose: Purpose,
) -> Result<(), OpenError> {
    let cannot = |cause| OpenError::Cannot { path: place.to_owned(), cause };
    session.begin(&format!("BEGIN; SELECT pg_advisory_xact_lock({LOCK})")).map_err(cannot)?;
    let work = Work { db: Db::Postgres(session), session, catalogue, place, purpose };
    let done = work.run();
    let ended = session.end(if done.is_ok() { "COMMIT" } else { "ROLLBACK" });
    done?;
    ended.map_err(cannot)
}

struct Work<'a> {
    db: Db<'a>,
    session: &'a Session,
    catalogue: &'a Catalogue,
    place: &'a Path,
    purpose: Purpose,
}

impl Work<'_> {
    fn run(&self) -> Result<(), OpenError> {
        let cannot = |cause| OpenError::Cannot { path: self.place.to_owned(), cause };
        self.check_is_ours()?;
        self.prepare().map_err(cannot)?;
        let known: Option<String> =
            self.first("SELECT value FROM \"schema#state\" WHERE key = 'digest'").map_err(cannot)?;
        match self.purpose {
            Purpose::Use => self.check_is_finished()?,
            // In the transaction that creates the tables, so that nobody who opens the database from now on takes it for complete.
            Purpose::Fill if known.is_none() => filling::begin(self.session).map_err(cannot)?,
            Purpose::Fill => {}
        }
        let digest = self.digest();
        self.check_migrations()?;
        if known.as_deref() == Some(digest.as_str()) {
            return Ok(());
        }
        self.add_tables().map_err(cannot)?;
        self.record(&digest).map_err(cannot)
    }

    /// Refuses a database or schema that contains tables of another program.
    fn check_is_ours(&self) -> Result<(), OpenError> {
        let cannot = |cause| OpenError::Cannot { path: self.place.to_owned(), cause };
        let tables = self
            .names("SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()")
            .map_err(cannot)?;
        if tables.is_empty() || tables.contains("schema#state") {
            return Ok(());
        }
        Err(OpenError::NotOurs { path: self.place.to_owned() })
    }

    fn check_is_finished(&self) -> Result<(), OpenError> {
        let cannot = |cause| OpenError::Cannot { path: self.place.to_owned(), cause };
        match self.first::<String>(filling::FIND).map_err(cannot)? {
            Some(_) => Err(OpenError::Unfinished { path: self.place.to_owned() }),
            None => Ok(()),
        }
    }

    /// Creates the tables that describe the state of the database.
    fn prepare(&self) -> Result<(), StoreError> {
        self.session.run(&format!(
            "CREATE TABLE IF NOT EXISTS \"schema#state\" (key text PRIMARY KEY, value text NOT NULL); \
             CREATE TABLE IF NOT EXISTS \"{}\" (number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, \
             at timestamptz NOT NULL, by text NOT NULL)",
            history::TABLE
        ))
    }

    fn first<T: rusqlite::types::FromSql>(&self, sql: &str) -> Result<Option<T>, StoreError> {
        self.db.prepare_cached(sql).and_then(|mut statement| statement.first()).map_err(store_error)
    }

    /// The names that a query returns.
    fn names(&self, sql: &str) -> Result<BTreeSet<String>, StoreError> {
        let mut statement = self.db.prepare_cached(sql).map_err(store_error)?;
        let mut rows = statement.query();
        let mut names = BTreeSet::new();
        while let Some(row) = rows.next().map_err(store_error)? {
            names.insert(row.get(0).map_err(store_error)?);
        }
        Ok(names)
    }

    /// A digest of all statements derived from the catalogue.
    fn digest(&self) -> String {
        let mut hasher = Sha256::new();
        hasher.update(FUNCTIONS);
        for statement in ddl::sqlite(self.catalogue) {
            hasher.update(statement);
        }
        for (_, table) in self.catalogue.iter() {
            hasher.update(ddl::postgres::create_table(table));
            if let TableKind::Lookup { values, .. } = &table.kind {
                hasher.update(format!("{values:?}"));
            }
        }
        for (_, statement) in
            ddl::postgres::views(self.catalogue).into_iter().chain(derived::triggers(self.catalogue))
        {
            hasher.update(statement);
        }
        hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Refuses a database of a later version, and one that would need a migration.
    fn check_migrations(&self) -> Result<(), OpenError> {
        let cannot = |cause| OpenError::Cannot { path: self.place.to_owned(), cause };
        let made = "SELECT 1::bigint FROM \"schema#state\" WHERE key = 'digest'";
        let is_new = self.first::<i64>(made).map_err(cannot)?.is_none();
        if is_new {
            return Ok(());
        }
        let last: Option<Option<i64>> =
            self.first(&format!("SELECT max(number) FROM \"{}\"", history::TABLE)).map_err(cannot)?;
        let found = last.flatten().unwrap_or(1);
        let known = self.catalogue.migrations.last().map_or(1, |migration| i64::from(migration.number));
        if found > known {
            return Err(OpenError::Newer { path: self.place.to_owned(), found, known });
        }
        let lacks = |migration: &&Migration| i64::from(migration.number) > found && migration.changes_data();
        match self.catalogue.migrations.iter().find(lacks) {
            Some(migration) => Err(OpenError::NoMigration {
                path: self.place.to_owned(),
                number: migration.number,
                name: migration.name.clone(),
            }),
            None => Ok(()),
        }
    }

    fn add_tables(&self) -> Result<(), StoreError> {
        self.session.run(&format!(
            "CREATE COLLATION IF NOT EXISTS \"{}\" (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
            ddl::postgres::NO_CASE
        ))?;
        self.session.run(FUNCTIONS)?;
        // Views depend on the tables and functions changed here. They are recreated afterwards.
        for (name, _) in ddl::postgres::views(self.catalogue).iter().rev() {
            self.session.run(&format!("DROP VIEW IF EXISTS \"{name}\" CASCADE"))?;
        }
        let tables =
            self.names("SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()")?;
        let real = || {
            let is_table = |table: &&Table| !matches!(table.kind, TableKind::View { .. });
            self.catalogue.iter().map(|(_, table)| table).filter(is_table)
        };
        for table in real() {
            if tables.contains(&table.name) {
                self.add_columns(table)?;
            } else {
                self.session.run(&ddl::postgres::create_table(table))?;
            }
        }
        for (name, statement) in derived::tables(self.catalogue) {
            if !tables.contains(&name) {
                self.session.run(&statement)?;
            }
        }
        let indices =
            self.names("SELECT indexname::text FROM pg_indexes WHERE schemaname = current_schema()")?;
        let wanted =
            real().flat_map(ddl::create_indices).map(|(name, statement)| (name.to_owned(), statement));
        for (name, statement) in wanted.chain(derived::indices(self.catalogue)) {
            if !indices.contains(kept(&name)) {
                self.session.run(&statement)?;
            }
        }
        // Rows of lookups must exist before foreign keys to them.
        super::lookups::fill(self.db, self.catalogue).map_err(store_error)?;
        let references = self.names(
            "SELECT conname::text FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace",
        )?;
        for table in real() {
            for column in &table.columns {
                if !references.contains(kept(&ddl::postgres::reference_name(table, column)))
                    && let Some(statement) = ddl::postgres::create_reference(self.catalogue, table, column)
                {
                    self.session.run(&statement)?;
                }
            }
        }
        for (_, statement) in
            ddl::postgres::views(self.catalogue).into_iter().chain(derived::triggers(self.catalogue))
        {
            self.session.run(&statement)?;
        }
        Ok(())
    }

    /// Adds new columns of the catalogue: those that are nullable or have a default.
    fn add_columns(&self, table: &Table) -> Result<(), StoreError> {
        let known = self.names(&format!(
            "SELECT column_name::text FROM information_schema.columns WHERE table_schema = current_schema() \
             AND table_name = '{}'",
            table.name
        ))?;
        for column in table.columns.iter().filter(|column| !known.contains(&column.name)) {
            if !column.nullable && !matches!(column.default, Some(Default::Literal(_))) {
                let (table, column) = (table.name.clone(), column.name.clone());
                return Err(StoreError::UnknownColumn { table, column });
            }
            let definition = ddl::postgres::column(column);
            self.session.run(&format!("ALTER TABLE \"{}\" ADD COLUMN {definition}", table.name))?;
        }
        Ok(())
    }

    fn record(&self, digest: &str) -> Result<(), StoreError> {
        let sql = format!(
            "INSERT INTO \"{}\" (number, name, checksum, at, by) VALUES (?1, ?2, ?3, now(), ?4) ON CONFLICT DO NOTHING",
            history::TABLE
        );
        for migration in &self.catalogue.migrations {
            let add = || {
                let mut statement = self.db.prepare_cached(&sql)?;
                let checksum = history::checksum(migration);
                statement.bind_all(&[
                    &i64::from(migration.number),
                    &migration.name,
                    &checksum,
                    &env!("CARGO_PKG_VERSION"),
                ])?;
                statement.execute().map(drop)
            };
            add().map_err(store_error)?;
        }
        let keep = || {
            let mut statement = self.db.prepare_cached(
                "INSERT INTO \"schema#state\" (key, value) VALUES ('digest', ?1) \
                 ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            )?;
            statement.bind(1, Cell(catalogue::ValueRef::Text(digest)))?;
            statement.execute().map(drop)
        };
        keep().map_err(store_error)
    }
}

/// A name as PostgreSQL stores it: cut to 63 bytes.
fn kept(name: &str) -> &str {
    const BYTES: usize = 63;
    &name[..name.floor_char_boundary(BYTES)]
}
