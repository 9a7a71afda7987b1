//! The groups of a table, and how their columns are written in statements of SQLite.

use super::cells::{as_ref, pack};
use crate::values::sqlite_value::Cell;
use catalogue::{Column, ColumnId, Default, SharedPlace, Table};
use rusqlite::types::{ToSql as _, ToSqlOutput};

/// Columns of a table that are held as one.
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
        let Some(SharedPlace { group, .. }) = &column.shared else { continue };
        match groups.iter_mut().find(|known| known.name == group) {
            Some(known) => known.columns.push(id),
            None => groups.push(Group { name: group, columns: vec![id] }),
        }
    }
    let place = |id: &ColumnId| table.column(*id).shared.as_ref().map(|shared| shared.place);
    for group in &mut groups {
        group.columns.sort_by_key(place);
    }
    groups
}

impl Group<'_> {
    /// The column of the database as it stands in CREATE TABLE. The order of the places is written beside it: a table whose order is another one
    /// has to be made anew.
    pub(crate) fn definition(&self, table: &Table) -> String {
        let names: Vec<&str> = self.columns.iter().map(|id| table.column(*id).name.as_str()).collect();
        let default = self.default_literal(table);
        format!("{} ANY DEFAULT {default} /* ({}) */", held("", self.name), names.join(", "))
    }

    /// The cells of a row that says nothing of the group, in SQL.
    pub(crate) fn default_literal(&self, table: &Table) -> String {
        let cells = self.defaults(table);
        if cells.is_empty() {
            return "NULL".to_owned();
        }
        let hex: String = cells.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("x'{hex}'")
    }

    /// The cells of a row that says nothing of the group.
    fn defaults(&self, table: &Table) -> Vec<u8> {
        let values: Vec<_> = self.columns.iter().map(|id| default(table.column(*id))).collect();
        let values: Vec<_> = values.iter().map(|value| Cell(value.borrow())).collect();
        // Every value of a catalogue is one of SQLite; none may be passed over, lest the places move.
        let null = |_| ToSqlOutput::Owned(rusqlite::types::Value::Null);
        let cells: Vec<_> = values.iter().map(|value| value.to_sql().unwrap_or_else(null)).collect();
        let mut out = Vec::new();
        pack(cells.iter().map(as_ref), &mut out);
        out
    }
}

/// What a column has in a row that does not say.
pub(crate) fn default(column: &Column) -> catalogue::Value {
    match &column.default {
        Some(Default::Literal(value)) => value.clone(),
        _ => catalogue::Value::Null,
    }
}

/// The columns of a group as the definition of a column in a database names them.
pub(crate) fn stored(definition: &str) -> Vec<&str> {
    let inside = definition.split_once("/* (").and_then(|(_, rest)| rest.split_once(") */"));
    inside.map(|(names, _)| names.split(", ").collect()).unwrap_or_default()
}

/// The column of the database that holds a group, of the row that goes by `row` (an alias with its point, or nothing).
pub(crate) fn held(row: &str, group: &str) -> String {
    format!("{row}\"#{group}\"")
}

/// A column of a group as an expression.
pub(crate) fn read(row: &str, SharedPlace { group, place }: &SharedPlace) -> String {
    format!("shared_cell({}, {place})", held(row, group))
}

/// Values given to columns, as the assignments of an UPDATE: those of one group together. `row` is what the row goes by.
pub(crate) fn assignments(row: &str, sets: &[(&Column, String)]) -> Vec<String> {
    let mut out = Vec::new();
    let mut done: Vec<&str> = Vec::new();
    for (column, value) in sets {
        let Some(SharedPlace { group, .. }) = &column.shared else {
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
            .map(|(shared, value)| format!(", {}, {value}", shared.place))
            .collect();
        out.push(format!("{} = shared_with({}{changes})", held("", group), held(row, group)));
    }
    out
}
