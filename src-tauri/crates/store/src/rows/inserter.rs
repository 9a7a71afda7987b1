//! Prepared inserts for many rows with the same columns.

use crate::StoreError;
use crate::access::names_tenant;
use crate::driver::constraint::constraint_error;
use crate::driver::db::Call;
use crate::driver::sqlite::store_error;
use crate::rows::shared_cells::SharedCells;
use crate::values::cells::check;
use crate::values::sqlite_value::Cell;
use catalogue::{Column, Table, ValueRef};
use uuid::Uuid;

/// The values of columns that the caller does not set.
pub(super) enum Fill {
    Tenant(Uuid),
    TenantText(String),
    Now(i64),
    Uuid,
    UuidText,
}

/// Inserts many rows with the same columns.
pub struct Inserter<'a> {
    pub(super) statement: Call<'a>,
    /// The COPY statement of PostgreSQL, if rows may be inserted in bulk.
    pub(super) copy: Option<String>,
    /// The columns in order, quoted.
    pub(super) names: String,
    pub(super) table: &'a Table,
    pub(super) given: Vec<&'a Column>,
    pub(super) filled: Vec<Fill>,
    /// The given columns that are stored in shared groups.
    pub(super) shared: SharedCells<'a>,
    /// The index of the tenant among the given columns, and its required value.
    pub(super) tenant: Option<(usize, Uuid)>,
}

impl Inserter<'_> {
    /// Inserts one row; the values are in column order.
    pub fn insert(&mut self, row: &[ValueRef<'_>]) -> Result<(), StoreError> {
        self.run(row).map(drop)
    }

    /// Inserts one row. Returns the number of inserted rows.
    pub(super) fn run(&mut self, row: &[ValueRef<'_>]) -> Result<usize, StoreError> {
        debug_assert_eq!(row.len(), self.given.len(), "one value a column");
        if let Some((place, tenant)) = self.tenant
            && !names_tenant(row[place], tenant)
        {
            return Err(StoreError::Denied);
        }
        let mut place = 0;
        for (column, value) in self.given.iter().zip(row) {
            check(self.table, column, *value)?;
            if self.shared.holds(column) {
                continue;
            }
            place += 1;
            // Amounts are most of a charge: their text needs no allocation.
            let bound = match value {
                ValueRef::Decimal(amount) => self.statement.bind(place, amount.to_text().as_str()),
                value => self.statement.bind(place, Cell(*value)),
            };
            bound.map_err(store_error)?;
        }
        for fill in &self.filled {
            let text;
            let value = match fill {
                Fill::Tenant(tenant) => ValueRef::Uuid(*tenant),
                Fill::TenantText(tenant) => ValueRef::Text(tenant),
                Fill::Now(now) => ValueRef::Timestamp(*now),
                Fill::Uuid => ValueRef::Uuid(Uuid::new_v4()),
                Fill::UuidText => {
                    text = Uuid::new_v4().to_string();
                    ValueRef::Text(&text)
                }
            };
            place += 1;
            self.statement.bind(place, Cell(value)).map_err(store_error)?;
        }
        self.shared.bind(&mut self.statement, place, row).map_err(store_error)?;
        if let (Call::Postgres(statement), Some(copy)) = (&mut self.statement, &self.copy) {
            return statement.add(copy).map(|()| 1).map_err(store_error);
        }
        self.statement.execute().map_err(|error| constraint_error(self.table, error))
    }
}
