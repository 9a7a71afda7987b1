//! Runs the statements of a change, with the caller's tenant.

use super::Changes;
use crate::StoreError;
use crate::driver::constraint::constraint_error;
use crate::driver::sqlite::store_error;
use crate::statement::Statement;
use crate::statement::{Keys, PlanArguments, bind};
use catalogue::{ColumnId, TableId, Value};

impl Changes<'_> {
    pub(super) fn exists(&self, sql: &str, keys: &Keys) -> Result<bool, StoreError> {
        let mut statement = self.connection.prepare_cached(sql).map_err(store_error)?;
        bind(&mut statement, self.caller.tenant(), keys, &[], PlanArguments::default())
            .map_err(store_error)?;
        let found = statement.query().next().map_err(store_error)?.is_some();
        Ok(found)
    }

    pub(super) fn raw_cells(
        &self,
        table: TableId,
        columns: &[ColumnId],
        row: &Keys,
    ) -> Result<Keys, StoreError> {
        let sql = self.printer().columns(table, columns);
        let mut statement = self.connection.prepare_cached(&sql).map_err(store_error)?;
        bind(&mut statement, self.caller.tenant(), row, &[], PlanArguments::default())
            .map_err(store_error)?;
        let mut cursor = statement.query();
        let Some(row) = cursor.next().map_err(store_error)? else { return Err(StoreError::Denied) };
        (0..columns.len()).map(|place| row.get(place).map_err(store_error)).collect()
    }

    /// Columns of a row, as catalogue values.
    pub(super) fn cells(
        &self,
        table: TableId,
        columns: &[ColumnId],
        row: &Keys,
    ) -> Result<Vec<Value>, StoreError> {
        let described = self.catalogue.table(table);
        let cells = self.raw_cells(table, columns, row)?;
        let decoded = columns
            .iter()
            .zip(&cells)
            .map(|(id, cell)| crate::values::cells::decode(described.column(*id), cell.into()));
        Ok(decoded.collect())
    }

    /// Runs a statement that returns keys.
    pub(super) fn keys(&self, table: TableId, statement: &Statement) -> Result<Vec<Keys>, StoreError> {
        let described = self.catalogue.table(table);
        let failed = |error| constraint_error(described, error);
        let mut prepared = self.connection.prepare_cached(&statement.sql).map_err(store_error)?;
        let given = PlanArguments::at(self.now);
        bind(&mut prepared, self.caller.tenant(), &Keys::new(), &statement.values, given)
            .map_err(store_error)?;
        let mut cursor = prepared.query();
        let mut keys = Vec::new();
        while let Some(row) = cursor.next().map_err(failed)? {
            let cells = 0..described.primary_key.len();
            keys.push(
                cells.map(|place| row.get(place)).collect::<rusqlite::Result<Keys>>().map_err(store_error)?,
            );
        }
        Ok(keys)
    }

    pub(super) fn execute(&self, table: TableId, sql: &str, keys: &Keys) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(sql).map_err(store_error)?;
        bind(&mut statement, self.caller.tenant(), keys, &[], PlanArguments::default())
            .map_err(store_error)?;
        let described = self.catalogue.table(table);
        statement.execute().map_err(|error| constraint_error(described, error))?;
        Ok(())
    }
}
