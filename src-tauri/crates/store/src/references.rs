//! Finds the foreign key that a change violates: SQLite only reports that one is violated.

use crate::StoreError;
use crate::driver::constraint::referred;
use crate::driver::db::Db;
use crate::driver::sqlite::store_error;
use crate::statement::{Keys, PlanArguments, bind};
use catalogue::{Catalogue, Column, ColumnId, OnDelete, Reference, Table, TableId};

/// Maximum depth of cascading deletes that are followed; a violation further away is not named.
const DEEPEST: usize = 8;

/// The connection and catalogue used for the search.
#[derive(Clone, Copy)]
pub(crate) struct References<'a> {
    pub connection: Db<'a>,
    pub catalogue: &'a Catalogue,
}

impl<'a> References<'a> {
    /// The reference that prevents this row of `table`, or a row deleted with it, from being deleted.
    pub(crate) fn blocking_reference(
        self,
        table: TableId,
        key: &Keys,
    ) -> Result<Option<StoreError>, StoreError> {
        let described = self.catalogue.table(table);
        let conditions: Vec<String> = (2..)
            .zip(&described.primary_key)
            .map(|(place, id)| format!("\"{}\" = ?{place}", described.column(*id).name))
            .collect();
        self.search(table, &conditions.join(" AND "), key, DEEPEST)
    }

    fn search(
        self,
        table: TableId,
        condition: &str,
        key: &Keys,
        depth: usize,
    ) -> Result<Option<StoreError>, StoreError> {
        let parent = self.catalogue.table(table);
        for (id, child, column, reference) in self.to(table) {
            let target = &parent.column(reference.column).name;
            let rows = format!(
                "\"{}\" IN (SELECT \"{target}\" FROM \"{}\" WHERE {condition})",
                column.name, parent.name
            );
            match reference.on_delete {
                OnDelete::Restrict if self.has(&child.name, &rows, key)? => {
                    return Ok(Some(referred(parent, child, column)));
                }
                OnDelete::Cascade if depth > 0 => {
                    let found = self.search(id, &rows, key, depth - 1)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// The reference to one of these columns of `table` whose target row no longer exists.
    pub(crate) fn broken_reference(
        self,
        table: TableId,
        columns: &[ColumnId],
    ) -> Result<Option<StoreError>, StoreError> {
        let parent = self.catalogue.table(table);
        for (_, child, column, reference) in self.to(table).filter(|(.., to)| columns.contains(&to.column)) {
            let (name, target) = (&column.name, &parent.column(reference.column).name);
            let rows = format!(
                "\"{name}\" IS NOT NULL AND \"{name}\" NOT IN (SELECT \"{target}\" FROM \"{}\")",
                parent.name
            );
            if self.has(&child.name, &rows, &Keys::new())? {
                return Ok(Some(referred(parent, child, column)));
            }
        }
        Ok(None)
    }

    /// Whether any row of the table has the value, whatever the caller's access.
    pub(crate) fn exists(self, reference: &Reference, value: &Keys) -> Result<bool, StoreError> {
        let target = self.catalogue.table(reference.table);
        self.has(&target.name, &format!("\"{}\" = ?2", target.column(reference.column).name), value)
    }

    /// The columns that refer to a table.
    fn to(self, target: TableId) -> impl Iterator<Item = (TableId, &'a Table, &'a Column, &'a Reference)> {
        self.catalogue.iter().flat_map(move |(id, table)| {
            table.columns.iter().filter_map(move |column| {
                let reference = column.references.as_ref().filter(|reference| reference.table == target)?;
                Some((id, table, column, reference))
            })
        })
    }

    fn has(self, table: &str, condition: &str, key: &Keys) -> Result<bool, StoreError> {
        let sql = format!("SELECT 1 FROM \"{table}\" WHERE {condition} LIMIT 1");
        let mut statement = self.connection.prepare_cached(&sql).map_err(store_error)?;
        bind(&mut statement, None, key, &[], PlanArguments::default()).map_err(store_error)?;
        let found = statement.query().next().map_err(store_error)?.is_some();
        Ok(found)
    }
}
