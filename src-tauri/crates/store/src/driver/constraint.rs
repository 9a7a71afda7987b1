//! Errors of violated constraints, with the constraint names of the interface.

use crate::StoreError;
use crate::driver::sqlite::store_error;
use catalogue::{Column, ColumnId, Table};
use rusqlite::ErrorCode;

/// The unique constraint over exactly these columns.
pub(crate) fn unique_with<'a>(table: &'a Table, names: &[&str]) -> Option<&'a catalogue::Unique> {
    table.unique.iter().find(|unique| same_columns(table, &unique.columns, names))
}

fn same_columns(table: &Table, columns: &[ColumnId], names: &[&str]) -> bool {
    columns.len() == names.len() && columns.iter().all(|id| names.contains(&table.column(*id).name.as_str()))
}

/// Converts an error of SQLite, which names the columns of a violated constraint, to one with the constraint's name.
pub(crate) fn constraint_error(table: &Table, error: rusqlite::Error) -> StoreError {
    if error.sqlite_error_code() != Some(ErrorCode::ConstraintViolation) {
        return store_error(error);
    }
    let text = error.to_string();
    if let Some(column) =
        text.split("NOT NULL constraint failed: ").nth(1).and_then(|name| name.split('.').nth(1))
    {
        return StoreError::NotNull { table: table.name.clone(), column: column.to_owned() };
    }
    if text.contains("FOREIGN KEY") {
        let name = &table.name;
        return StoreError::ForeignKey(format!(
            "update or delete on table \"{name}\" violates a foreign key constraint of a table that refers to it"
        ));
    }
    let Some(list) = text.split("UNIQUE constraint failed: ").nth(1) else { return store_error(error) };
    let names: Vec<&str> =
        list.split(", ").filter_map(|name| name.split('.').nth(1)).map(str::trim).collect();
    let constraint = if same_columns(table, &table.primary_key, &names) {
        format!("{}_pkey", table.name)
    } else {
        unique_with(table, &names).map_or_else(|| names.join(", "), |unique| unique.name.clone())
    };
    StoreError::Unique { constraint }
}

/// A column refers to a row that does not exist or that the caller may not access.
pub(crate) fn dangling(table: &Table, column: &Column) -> StoreError {
    let name = &table.name;
    StoreError::ForeignKey(format!(
        "insert or update on table \"{name}\" violates foreign key constraint \"{name}_{}_fkey\"",
        column.name
    ))
}

/// A row of `parent` cannot be deleted: a column of `child` still refers to it.
pub(crate) fn referred(parent: &Table, child: &Table, column: &Column) -> StoreError {
    let (parent, child) = (&parent.name, &child.name);
    StoreError::ForeignKey(format!(
        "update or delete on table \"{parent}\" violates foreign key constraint \"{child}_{}_fkey\" on table \"{child}\"",
        column.name
    ))
}

/// Converts an error of COMMIT, when foreign keys are checked.
pub(crate) fn at_commit(error: rusqlite::Error) -> StoreError {
    if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) {
        return dangling_at_commit();
    }
    store_error(error)
}

pub(crate) fn dangling_at_commit() -> StoreError {
    StoreError::ForeignKey("a row of this request refers to a row that is not there".to_owned())
}
