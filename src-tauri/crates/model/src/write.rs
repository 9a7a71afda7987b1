//! Typed writes: one path, which names who writes and leaves the audit row.

use crate::cell::Cell;
use crate::filter::{Filter, column, table};
use crate::table::{Column, Table};
use catalogue::{ColumnId, TableId, Value};
use std::marker::PhantomData;
use store::{StoreError, Transaction};

/// The value a column of table `T` gets.
#[derive(Debug)]
pub struct Assignment<T> {
    column: &'static str,
    value: Value,
    marker: PhantomData<fn() -> T>,
}

/// What an update changes: [`Assignment`]s, gathered where some depend on what a request gives.
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
    /// The column gets the value.
    pub fn to(self, value: impl Into<V::Plain>) -> Assignment<T> {
        Assignment { column: self.name, value: value.into().into_value(), marker: PhantomData }
    }
}

impl<T, V: Cell> Column<T, Option<V>> {
    /// The column gets the value, or null where there is none.
    pub fn to_option(self, value: Option<impl Into<<Option<V> as Cell>::Plain>>) -> Assignment<T> {
        let value = value.map_or(Value::Null, |value| value.into().into_value());
        Assignment { column: self.name, value, marker: PhantomData }
    }

    /// The column gets null.
    pub const fn to_null(self) -> Assignment<T> {
        Assignment { column: self.name, value: Value::Null, marker: PhantomData }
    }
}

impl<T> Patch<T> {
    /// Nothing is changed.
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

/// Writes rows in the name of an actor. Row checks, references and the audit trail are the store's to see to.
pub struct Writer<'a> {
    rows: &'a Transaction<'a>,
}

impl<'a> Writer<'a> {
    /// Writes through rows that name an actor: those of a call do, other ones after
    /// [`Transaction::with_audit_operation`]. Refused without one.
    pub fn new(rows: &'a Transaction<'a>) -> Result<Self, StoreError> {
        if rows.has_actor() { Ok(Self { rows }) } else { Err(StoreError::NoActor) }
    }

    /// Writes what follows from a row that the audit trail tells of anyway ([`Transaction::derived`]): nothing is noted. Rows that
    /// name an actor are refused, so that nobody leaves the trail out by chance.
    pub fn derived(rows: &'a Transaction<'a>) -> Result<Self, StoreError> {
        if rows.has_actor() { Err(StoreError::Denied) } else { Ok(Self { rows }) }
    }

    /// Adds one row. Columns left out get their default; the tenant is filled in.
    pub fn insert<T: Table>(&self, cells: impl IntoIterator<Item = Assignment<T>>) -> Result<(), StoreError> {
        let table = self.table::<T>()?;
        self.rows.insert_row(table, self.cells(table, cells)?, None)
    }

    /// Adds one row, or changes the one whose `key` columns (a key or a unique constraint) are the same. Columns of `once` are
    /// written only when the row is new.
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

    /// Changes the rows that meet the filter; how many they were.
    pub fn update<T: Table>(
        &self,
        filter: Filter<T>,
        cells: impl IntoIterator<Item = Assignment<T>>,
    ) -> Result<u64, StoreError> {
        let table = self.table::<T>()?;
        let filter = filter.node.known(self.rows.catalogue(), table)?;
        self.rows.update_rows(table, filter, self.cells(table, cells)?)
    }

    /// Removes the rows that meet the filter; how many they were.
    pub fn delete<T: Table>(&self, filter: Filter<T>) -> Result<u64, StoreError> {
        let table = self.table::<T>()?;
        let filter = filter.node.known(self.rows.catalogue(), table)?;
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
