//! Previews a move into PostgreSQL without changing anything.

use super::MoveError;
use super::rows::moved_tables;
use crate::driver::db::Db;
use crate::driver::postgres::Session;
use crate::driver::sqlite::store_error;
use crate::schema::postgres::UNFINISHED;
use crate::scope::ReadScope;
use crate::{OpenError, Store, StoreError, open};
use rusqlite::types::FromSql;

/// The oldest supported version of PostgreSQL, as `server_version_num`.
const OLDEST: i64 = 150_000;

/// The source and target of a planned move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovePreview {
    /// The URL without its password.
    pub place: String,
    /// The version reported by PostgreSQL: `15.18 (Debian 15.18-0+deb12u1)`.
    pub server_version: String,
    pub target: TargetState,
    /// Reasons why rows cannot be moved there; empty if they can.
    pub problems: Vec<String>,
    /// Tables with rows and their number of rows, largest first.
    pub tables: Vec<(String, u64)>,
    /// Size of the source file in bytes.
    pub bytes: u64,
}

/// The content of a target database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetState {
    Empty,
    /// A move into it was interrupted; the next one starts over.
    Unfinished,
    /// It contains rows of Quarterdeck.
    Filled,
    /// It contains tables of another program.
    Foreign,
}

/// Inspects both sides without changing anything. `source` is an SQLite file that may be in use. Blocks the thread.
pub fn preview(source: &Store, url: &str) -> Result<MovePreview, MoveError> {
    let (address, path) = open::address(url)?;
    let session = Session::open(&address).map_err(|cause| OpenError::Cannot { path, cause })?;
    session.begin("BEGIN READ ONLY").map_err(MoveError::Store)?;
    let db = Db::Postgres(&session);
    let server_version: String = first(db, "SELECT current_setting('server_version')")?;
    let target = target(source, db)?;
    let problems = problems(db, target, &server_version)?;
    session.end("ROLLBACK").map_err(MoveError::Store)?;
    let (tables, bytes) = source.backend.read(ReadScope::default(), |view| {
        let size = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()";
        Ok::<_, MoveError>((counts(source, view.db)?, first::<i64>(view.db, size)?))
    })?;
    let bytes = u64::try_from(bytes).unwrap_or_default();
    Ok(MovePreview { place: open::without_password(url), server_version, target, problems, tables, bytes })
}

fn first<T: FromSql + Default>(db: Db<'_>, sql: &str) -> Result<T, StoreError> {
    let found = db.prepare_cached(sql).and_then(|mut statement| statement.first());
    Ok(found.map_err(store_error)?.unwrap_or_default())
}

fn is_true(db: Db<'_>, condition: &str) -> Result<bool, StoreError> {
    Ok(first::<i64>(db, &format!("SELECT ({condition})::int::bigint"))? == 1)
}

fn target(source: &Store, db: Db<'_>) -> Result<TargetState, MoveError> {
    const TABLES: &str = "SELECT FROM pg_tables WHERE schemaname = current_schema()";
    if !is_true(db, &format!("EXISTS ({TABLES})"))? {
        return Ok(TargetState::Empty);
    }
    if !is_true(db, &format!("EXISTS ({TABLES} AND tablename = 'schema#state')"))? {
        return Ok(TargetState::Foreign);
    }
    if is_true(db, &format!("EXISTS ({UNFINISHED})"))? {
        return Ok(TargetState::Unfinished);
    }
    for table in moved_tables(source.catalogue()).iter().filter(|table| !table.is_lookup()) {
        // A database of another version may lack the table.
        let name = table.name.replace('\'', "''");
        if is_true(db, &format!("EXISTS ({TABLES} AND tablename = '{name}')"))? && table.has_rows(db)? {
            return Ok(TargetState::Filled);
        }
    }
    Ok(TargetState::Empty)
}

fn problems(db: Db<'_>, target: TargetState, version: &str) -> Result<Vec<String>, MoveError> {
    let mut problems = Vec::new();
    let mut unless = |is_met: bool, problem: String| {
        if !is_met {
            problems.push(problem);
        }
    };
    unless(
        is_true(db, &format!("current_setting('server_version_num')::int >= {OLDEST}"))?,
        format!("PostgreSQL is {version}; 15 or newer is needed."),
    );
    unless(
        is_true(db, "current_setting('server_encoding') = 'UTF8'")?,
        "The database holds no Unicode: create it with createdb -E UTF8 -T template0.".to_owned(),
    );
    unless(
        is_true(db, "EXISTS (SELECT FROM pg_collation WHERE collprovider = 'i')")?,
        "PostgreSQL was built without ICU, which compares names without case: use a build that has it, as Debian's."
            .to_owned(),
    );
    unless(
        is_true(db, "coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)")?,
        "The user may not create tables in the database: make it the owner, with createdb -O.".to_owned(),
    );
    match target {
        TargetState::Empty | TargetState::Unfinished => {}
        TargetState::Filled => problems.push(
            "The database holds rows of Quarterdeck already. Only a new one is filled; one that holds exactly the same rows is left as it is."
                .to_owned(),
        ),
        TargetState::Foreign => {
            problems.push("The database holds tables of another program: create one for Quarterdeck.".to_owned());
        }
    }
    Ok(problems)
}

/// Tables with rows and their number of rows.
fn counts(source: &Store, db: Db<'_>) -> Result<Vec<(String, u64)>, StoreError> {
    let mut counts = Vec::new();
    for table in moved_tables(source.catalogue()).into_iter().filter(|table| !table.is_lookup()) {
        let rows: i64 = first(db, &format!("SELECT count(*) FROM \"{}\"", table.name))?;
        counts.push((table.name, u64::try_from(rows).unwrap_or_default()));
    }
    counts.retain(|(_, rows)| *rows > 0);
    counts.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
    Ok(counts)
}
