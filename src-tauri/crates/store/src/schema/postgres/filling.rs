//! State of a database while the rows of another one are copied into it.

use super::{derived, kept};
use crate::driver::postgres::Session;
use crate::{StoreError, ddl};
use catalogue::Catalogue;

/// Finds the mark of an unfinished database.
pub(crate) const FIND: &str = "SELECT value FROM \"schema#state\" WHERE key = 'unfinished'";

/// Marks the database as unfinished.
pub(crate) fn begin(session: &Session) -> Result<(), StoreError> {
    session.run(
        "INSERT INTO \"schema#state\" (key, value) VALUES ('unfinished', now()::text) ON CONFLICT DO NOTHING",
    )
}

/// Removes the mark.
pub(crate) fn end(session: &Session) -> Result<(), StoreError> {
    session.run("DELETE FROM \"schema#state\" WHERE key = 'unfinished'")
}

/// Drops foreign keys and indices and disables triggers, all of which cost time per inserted row. Returns the statements that restore them.
pub(crate) fn drop_constraints(session: &Session, catalogue: &Catalogue) -> Result<Vec<String>, StoreError> {
    let mut built = Vec::new();
    let tables = || catalogue.iter().map(|(_, table)| table).filter(|table| ddl::is_table(table));
    for table in tables() {
        session.run(&format!("ALTER TABLE \"{}\" DISABLE TRIGGER USER", table.name))?;
        for column in &table.columns {
            if let Some(statement) = ddl::postgres::create_reference(catalogue, table, column) {
                let name = ddl::postgres::reference_name(table, column);
                session.run(&format!(
                    "ALTER TABLE \"{}\" DROP CONSTRAINT \"{}\"",
                    table.name,
                    kept(&name)
                ))?;
                built.push(statement);
            }
        }
        built.push(format!("ALTER TABLE \"{}\" ENABLE TRIGGER USER", table.name));
    }
    let indices =
        tables().flat_map(ddl::create_indices).map(|(name, statement)| (name.to_owned(), statement));
    let mut first = Vec::new();
    for (name, statement) in indices.chain(derived::indices(catalogue)) {
        session.run(&format!("DROP INDEX \"{}\"", kept(&name)))?;
        first.push(statement);
    }
    // Foreign keys need the unique indices they refer to.
    first.extend(built);
    Ok(first)
}
