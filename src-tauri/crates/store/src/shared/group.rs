//! The shared groups of a table, and their expressions in SQLite statements.

use super::cells::{as_ref, pack};
use crate::values::sqlite_value::Cell;
use catalogue::{Column, ColumnId, Default, SharedPosition, Table};
use rusqlite::types::{ToSql as _, ToSqlOutput};

/// Columns of a table that are stored as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group<'t> {
    pub name: &'t str,
    /// In the order of their places.
    pub columns: Vec<ColumnId>,
}

/// The groups of a table, in the order of their first columns.
pub(crate) fn groups(table: &Table) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (id, column) in table.iter_columns() {
        let Some(SharedPosition { group, .. }) = &column.shared else { continue };
        match groups.iter_mut().find(|known| known.name == group) {
            Some(known) => known.columns.push(id),
            None => groups.push(Group { name: group, columns: vec![id] }),
        }
    }
    let place = |id: &ColumnId| table.column(*id).shared.as_ref().map(|shared| shared.index);
    for group in &mut groups {
        group.columns.sort_by_key(place);
    }
    groups
}

impl Group<'_> {
    /// The column definition of a group for CREATE TABLE. A comment states the order of the columns: a table with another order must be
    /// rebuilt.
    pub(crate) fn definition(&self, table: &Table) -> String {
        let names: Vec<&str> = self.columns.iter().map(|id| table.column(*id).name.as_str()).collect();
        let default = self.default_literal(table);
        format!("{} ANY DEFAULT {default} /* ({}) */", held("", self.name), names.join(", "))
    }

    /// The default cells of the group, as an SQL literal.
    pub(crate) fn default_literal(&self, table: &Table) -> String {
        let cells = self.defaults(table);
        if cells.is_empty() {
            return "NULL".to_owned();
        }
        let hex: String = cells.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("x'{hex}'")
    }

    /// The default cells of the group.
    fn defaults(&self, table: &Table) -> Vec<u8> {
        let values: Vec<_> = self.columns.iter().map(|id| default(table.column(*id))).collect();
        let values: Vec<_> = values.iter().map(|value| Cell(value.borrow())).collect();
        // Every catalogue value can be stored in SQLite; omitting one would shift the places.
        let null = |_| ToSqlOutput::Owned(rusqlite::types::Value::Null);
        let cells: Vec<_> = values.iter().map(|value| value.to_sql().unwrap_or_else(null)).collect();
        let mut out = Vec::new();
        pack(cells.iter().map(as_ref), &mut out);
        out
    }
}

/// The default value of a column.
pub(crate) fn default(column: &Column) -> catalogue::Value {
    match &column.default {
        Some(Default::Literal(value)) => value.clone(),
        _ => catalogue::Value::Null,
    }
}

/// The columns of a group, read from a column definition.
pub(crate) fn stored(definition: &str) -> Vec<&str> {
    let inside = definition.split_once("/* (").and_then(|(_, rest)| rest.split_once(") */"));
    inside.map(|(names, _)| names.split(", ").collect()).unwrap_or_default()
}

/// The database column of a group; `row` is the row's alias with its point, or empty.
pub(crate) fn held(row: &str, group: &str) -> String {
    format!("{row}\"#{group}\"")
}

/// The expression for a column of a group.
pub(crate) fn read(row: &str, SharedPosition { group, index }: &SharedPosition) -> String {
    format!("shared_cell({}, {index})", held(row, group))
}

/// The assignments of an UPDATE; columns of one group are assigned together. `row` is the row's alias.
pub(crate) fn assignments(row: &str, sets: &[(&Column, String)]) -> Vec<String> {
    let mut out = Vec::new();
    let mut done: Vec<&str> = Vec::new();
    for (column, value) in sets {
        let Some(SharedPosition { group, .. }) = &column.shared else {
            out.push(format!("\"{}\" = {value}", column.name));
            continue;
        };
        if done.contains(&group.as_str()) {
            continue;
        }
        done.push(group);
        let changes: String = sets
            .iter()
            .filter_map(|(column, value)| Some((column.shared.as_ref()?, value)))
            .filter(|(shared, _)| shared.group == *group)
            .map(|(shared, value)| format!(", {}, {value}", shared.index))
            .collect();
        out.push(format!("{} = shared_with({}{changes})", held("", group), held(row, group)));
    }
    out
}
