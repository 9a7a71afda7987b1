//! Prepared inserts of many rows of the same columns.

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

/// What an insert puts into columns it was not given.
pub(super) enum Fill {
    Tenant(Uuid),
    TenantText(String),
    Now(i64),
    Uuid,
    UuidText,
}

/// Adds many rows of the same columns.
pub struct Inserter<'a> {
    pub(super) statement: Call<'a>,
    /// What PostgreSQL is told before many rows, where these may be added together.
    pub(super) copy: Option<String>,
    /// The columns in their order, quoted.
    pub(super) names: String,
    pub(super) table: &'a Table,
    pub(super) given: Vec<&'a Column>,
    pub(super) filled: Vec<Fill>,
    /// The given columns that are held together with others.
    pub(super) shared: SharedCells<'a>,
    /// Where the tenant stands among the given columns, and what it must be.
    pub(super) tenant: Option<(usize, Uuid)>,
}

impl Inserter<'_> {
    /// Adds one row; the values stand in the order of the columns.
    pub fn insert(&mut self, row: &[ValueRef<'_>]) -> Result<(), StoreError> {
        self.run(row).map(drop)
    }

    /// Adds one row; how many were added.
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
