//! Typed writes, which name an actor and add to the audit trail.

use crate::cell::Cell;
use crate::filter::{Filter, column, table};
use crate::table::{Column, Table};
use catalogue::{ColumnId, TableId, Value};
use std::marker::PhantomData;
use store::{StoreError, Transaction};

/// A column of table `T` and its new value.
#[derive(Debug)]
pub struct Assignment<T> {
    column: &'static str,
    value: Value,
    marker: PhantomData<fn() -> T>,
}

/// The changes of an update: a list of [`Assignment`]s, for when some depend on the request.
#[derive(Debug)]
pub struct Patch<T>(Vec<Assignment<T>>);

impl<T> Clone for Assignment<T> {
    fn clone(&self) -> Self {
        Self { column: self.column, value: self.value.clone(), marker: PhantomData }
    }
}

impl<T> Clone for Patch<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T, V: Cell> Column<T, V> {
    /// Sets the column to the value.
    pub fn to(self, value: impl Into<V::Plain>) -> Assignment<T> {
        Assignment { column: self.name, value: value.into().into_value(), marker: PhantomData }
    }
}

impl<T, V: Cell> Column<T, Option<V>> {
    /// Sets the column to the value, or to null for `None`.
    pub fn to_option(self, value: Option<impl Into<<Option<V> as Cell>::Plain>>) -> Assignment<T> {
        let value = value.map_or(Value::Null, |value| value.into().into_value());
        Assignment { column: self.name, value, marker: PhantomData }
    }

    /// Sets the column to null.
    pub const fn to_null(self) -> Assignment<T> {
        Assignment { column: self.name, value: Value::Null, marker: PhantomData }
    }
}

impl<T> Patch<T> {
    /// A patch without changes.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    pub fn set(&mut self, assignment: Assignment<T>) {
        self.0.push(assignment);
    }

    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> Default for Patch<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> IntoIterator for Patch<T> {
    type Item = Assignment<T>;
    type IntoIter = std::vec::IntoIter<Assignment<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<T> FromIterator<Assignment<T>> for Patch<T> {
    fn from_iter<I: IntoIterator<Item = Assignment<T>>>(assignments: I) -> Self {
        Self(assignments.into_iter().collect())
    }
}

impl<T> Extend<Assignment<T>> for Patch<T> {
    fn extend<I: IntoIterator<Item = Assignment<T>>>(&mut self, assignments: I) {
        self.0.extend(assignments);
    }
}

/// Writes rows on behalf of an actor. The store checks row access and references and writes the audit trail.
pub struct Writer<'a> {
    rows: &'a Transaction<'a>,
}

impl<'a> Writer<'a> {
    /// A writer for a transaction that names an actor: those of requests do, others after [`Transaction::with_audit_operation`].
    ///
    /// # Errors
    ///
    /// [`StoreError::NoActor`] without an actor.
    pub fn new(rows: &'a Transaction<'a>) -> Result<Self, StoreError> {
        if rows.has_actor() { Ok(Self { rows }) } else { Err(StoreError::NoActor) }
    }

    /// A writer for derived data, whose source row is in the audit trail already ([`Transaction::without_actor`]): nothing is added to the trail.
    ///
    /// # Errors
    ///
    /// [`StoreError::Denied`] if the transaction names an actor, so that the trail is not bypassed by accident.
    pub fn derived(rows: &'a Transaction<'a>) -> Result<Self, StoreError> {
        if rows.has_actor() { Err(StoreError::Denied) } else { Ok(Self { rows }) }
    }

    /// Inserts one row. Omitted columns get their default; the tenant is filled in.
    pub fn insert<T: Table>(&self, cells: impl IntoIterator<Item = Assignment<T>>) -> Result<(), StoreError> {
        let table = self.table::<T>()?;
        self.rows.insert_row(table, self.cells(table, cells)?, None)
    }

    /// Inserts one row, or updates the row with equal `key` columns (a primary key or unique constraint). Columns in `once` are written
    /// only on insert.
    pub fn upsert<T: Table>(
        &self,
        key: &[&'static str],
        cells: impl IntoIterator<Item = Assignment<T>>,
        once: &[&'static str],
    ) -> Result<(), StoreError> {
        let table = self.table::<T>()?;
        let ids = |names: &[&'static str]| -> Result<Vec<ColumnId>, StoreError> {
            names.iter().map(|name| column(self.rows.catalogue(), table, name)).collect()
        };
        self.rows.insert_row(table, self.cells(table, cells)?, Some((ids(key)?, ids(once)?)))
    }

    /// Updates the rows that match the filter. Returns their number.
    pub fn update<T: Table>(
        &self,
        filter: Filter<T>,
        cells: impl IntoIterator<Item = Assignment<T>>,
    ) -> Result<u64, StoreError> {
        let table = self.table::<T>()?;
        let filter = filter.node.resolve(self.rows.catalogue(), table)?;
        self.rows.update_rows(table, filter, self.cells(table, cells)?)
    }

    /// Deletes the rows that match the filter. Returns their number.
    pub fn delete<T: Table>(&self, filter: Filter<T>) -> Result<u64, StoreError> {
        let table = self.table::<T>()?;
        let filter = filter.node.resolve(self.rows.catalogue(), table)?;
        self.rows.delete_rows(table, &filter)
    }

    fn table<T: Table>(&self) -> Result<TableId, StoreError> {
        table(self.rows.catalogue(), T::NAME)
    }

    fn cells<T: Table>(
        &self,
        table: TableId,
        cells: impl IntoIterator<Item = Assignment<T>>,
    ) -> Result<Vec<(ColumnId, Value)>, StoreError> {
        let catalogue = self.rows.catalogue();
        cells.into_iter().map(|cell| Ok((column(catalogue, table, cell.column)?, cell.value))).collect()
    }
}
