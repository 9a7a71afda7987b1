//! Moves rows into a PostgreSQL database: all in one transaction, preceded by a mark that the database is unfinished.

use super::rows::{TableToMove, moved_tables};
use super::{MoveError, MoveReport, Present, TableComparison, TableListener, check_alone};
use crate::backend::Backend;
use crate::driver::db::Db;
use crate::driver::postgres::{ConnectionLimits, PATIENCE, Session};
use crate::schema::postgres::Purpose;
use crate::scope::ReadScope;
use crate::{Store, StoreError, marks, open, schema};
use catalogue::Catalogue;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) fn fill(
    source: &Store,
    url: &str,
    present: Present,
    on_table: TableListener<'_>,
) -> Result<MoveReport, MoveError> {
    let place = PathBuf::from(open::without_password(url));
    check_alone(source, &place)?;
    let catalogue = Arc::clone(source.catalogue());
    let target = Store::over_postgres(
        open::postgres(url, &catalogue, Purpose::Fill, ConnectionLimits::default())?,
        catalogue,
    );
    check_alone(&target, &place)?;
    let tables = moved_tables(target.catalogue());
    let is_filled = target.backend.read(ReadScope::default(), |view| has_rows(&tables, view.db))?;
    if is_filled && present == Present::Refused {
        let tables = super::compare(source, &target)?;
        if tables.iter().all(TableComparison::is_equal) {
            tables.iter().for_each(on_table);
            return Ok(MoveReport { already_equal: true, tables });
        }
        return Err(MoveError::HoldsOther { place, tables });
    }
    let Backend::Postgres(connections) = &target.backend else { return Err(StoreError::OfOneFile.into()) };
    connections.transaction(PATIENCE, schema::postgres::begin_filling)?;
    let compared = connections.transaction(PATIENCE, |session| {
        // Another process may have started to use it.
        if present == Present::Refused && has_rows(&tables, Db::Postgres(session))? {
            return Err(MoveError::HoldsOther { place: place.clone(), tables: Vec::new() });
        }
        source.backend.read(ReadScope::default(), |view| {
            copy_rows(view.db, session, target.catalogue(), &place, on_table)
        })
    });
    if compared.is_err() && is_filled {
        // The transaction was rolled back; all previous rows still exist.
        connections.transaction(PATIENCE, schema::postgres::end_filling)?;
    }
    let compared = compared?;
    analyse(&target);
    Ok(MoveReport { already_equal: false, tables: compared })
}

/// Whether there are rows other than those of lookups.
fn has_rows(tables: &[TableToMove<'_>], db: Db<'_>) -> Result<bool, MoveError> {
    for table in tables.iter().filter(|table| !table.is_lookup()) {
        if table.has_rows(db)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Replaces the existing rows in the open transaction, and compares the result.
pub(super) fn copy_rows(
    from: Db<'_>,
    session: &Session,
    catalogue: &Catalogue,
    place: &Path,
    on_table: TableListener<'_>,
) -> Result<Vec<TableComparison>, MoveError> {
    let tables = moved_tables(catalogue);
    // Sorting once costs less than inserting into indices, and so does checking all foreign keys at once.
    let built = schema::postgres::drop_constraints(session, catalogue)?;
    let names: Vec<String> = tables.iter().map(|table| format!("\"{}\"", table.name)).collect();
    session.run(&format!("TRUNCATE {}", names.join(", ")))?;
    let mut compared = Vec::new();
    for table in &tables {
        let source = table.copy(from, Db::Postgres(session))?;
        let target = table.tally(Db::Postgres(session))?;
        let one = TableComparison { table: table.name.clone(), source, target };
        if !one.is_empty() {
            on_table(&one);
            compared.push(one);
        }
    }
    for statement in &built {
        session.run(statement)?;
    }
    for statement in marks::postgres_renewal(catalogue) {
        session.run(&statement)?;
    }
    if !compared.iter().all(TableComparison::is_equal) {
        return Err(MoveError::Differs { place: place.to_owned(), tables: compared });
    }
    schema::postgres::end_filling(session)?;
    Ok(compared)
}

/// Updates PostgreSQL's statistics, used for query planning. PostgreSQL would do this itself about a minute later.
fn analyse(target: &Store) {
    let Backend::Postgres(connections) = &target.backend else { return };
    let analysed = connections.transaction(PATIENCE, |session| session.run("ANALYZE"));
    if let Err(error) = analysed {
        tracing::debug!("rows were not counted: {error}");
    }
}
