//! How product code (sign-in, importers, jobs) reads and writes rows: by name, values in, values out.

use crate::StoreError;
use catalogue::{Value, ValueRef};

/// A condition on one column; several in a list must all hold.
#[derive(Debug, Clone)]
pub struct Condition<'a> {
    column: &'a str,
    test: Test<'a>,
}

#[derive(Debug, Clone)]
enum Test<'a> {
    Compare(&'static str, ValueRef<'a>),
    IsNull,
    OneOf(Vec<ValueRef<'a>>),
}

/// `column = value`
pub fn eq<'a>(column: &'a str, value: impl Into<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::Compare("=", value.into()) }
}
/// `column <> value`
pub fn ne<'a>(column: &'a str, value: impl Into<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::Compare("<>", value.into()) }
}
/// `column < value`
pub fn lt<'a>(column: &'a str, value: impl Into<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::Compare("<", value.into()) }
}
/// `column <= value`
pub fn le<'a>(column: &'a str, value: impl Into<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::Compare("<=", value.into()) }
}
/// `column > value`
pub fn gt<'a>(column: &'a str, value: impl Into<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::Compare(">", value.into()) }
}
/// `column >= value`
pub fn ge<'a>(column: &'a str, value: impl Into<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::Compare(">=", value.into()) }
}
/// `column IS NULL`
pub fn is_null(column: &str) -> Condition<'_> {
    Condition { column, test: Test::IsNull }
}
/// `column IN (values)`; an empty list matches nothing.
pub fn one_of<'a>(column: &'a str, values: Vec<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::OneOf(values) }
}

/// Rows of one caller inside one transaction or snapshot. The caller's tenant is part of every read and every write:
/// an insert fills the tenant column, an update or delete touches the tenant's rows only.
pub struct Transaction<'a> {
    _connection: std::marker::PhantomData<&'a ()>,
}

impl Transaction<'_> {
    /// The rows that meet all conditions, with the columns in the order asked for. No order is promised.
    pub fn select(&self, _table: &str, _columns: &[&str], _conditions: &[Condition<'_>]) -> Result<Vec<Vec<Value>>, StoreError> {
        unimplemented!()
    }

    /// Adds one row. Columns left out get their default; the tenant column is filled in.
    pub fn insert(&self, _table: &str, _row: &[(&str, ValueRef<'_>)]) -> Result<(), StoreError> {
        unimplemented!()
    }

    /// Adds one row, or changes the row whose `key` columns (a primary key or unique constraint) are the same: its other
    /// given columns are overwritten. Columns in `keep` are written only when the row is new.
    pub fn upsert(&self, _table: &str, _key: &[&str], _row: &[(&str, ValueRef<'_>)], _keep: &[&str]) -> Result<(), StoreError> {
        unimplemented!()
    }

    /// Changes the rows that meet all conditions; how many they were.
    pub fn update(&self, _table: &str, _conditions: &[Condition<'_>], _set: &[(&str, ValueRef<'_>)]) -> Result<u64, StoreError> {
        unimplemented!()
    }

    /// Removes the rows that meet all conditions; how many they were.
    pub fn delete(&self, _table: &str, _conditions: &[Condition<'_>]) -> Result<u64, StoreError> {
        unimplemented!()
    }

    /// A prepared insert for many rows of the same columns.
    pub fn inserter(&self, _table: &str, _columns: &[&str]) -> Result<Inserter<'_>, StoreError> {
        unimplemented!()
    }
}

/// Adds many rows of the same columns.
pub struct Inserter<'a> {
    _statement: std::marker::PhantomData<&'a ()>,
}

impl Inserter<'_> {
    /// Adds one row; the values stand in the order of the columns.
    pub fn insert(&mut self, _row: &[ValueRef<'_>]) -> Result<(), StoreError> {
        unimplemented!()
    }
}
