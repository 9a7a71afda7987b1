//! A database while the rows of another one are put into it.

use super::{derived, kept};
use crate::driver::postgres::Session;
use crate::{StoreError, ddl};
use catalogue::Catalogue;

/// Finds the mark of a database that is not finished.
pub(crate) const FIND: &str = "SELECT value FROM \"schema#state\" WHERE key = 'unfinished'";

/// Marks the database as one that is not finished.
pub(crate) fn begin(session: &Session) -> Result<(), StoreError> {
    session.run(
        "INSERT INTO \"schema#state\" (key, value) VALUES ('unfinished', now()::text) ON CONFLICT DO NOTHING",
    )
}

/// Takes the mark away.
pub(crate) fn end(session: &Session) -> Result<(), StoreError> {
    session.run("DELETE FROM \"schema#state\" WHERE key = 'unfinished'")
}

/// Takes down what looks at each row that comes: references, indices and triggers. Answers the statements that put these back.
pub(crate) fn take_down(session: &Session, catalogue: &Catalogue) -> Result<Vec<String>, StoreError> {
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
    // References need the unique indices they refer to.
    first.extend(built);
    Ok(first)
}
