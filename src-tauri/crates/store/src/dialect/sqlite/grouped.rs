//! Grouped listings: rows brought together by keys, with figures.

use super::figures::{applied, collated, count};
use super::{Build, Printer, ordered, print_of, quoted};
use crate::plan::{Node, Print, Rows, Shape};
use crate::query::{Function, Grouping, Key, Term};
use catalogue::{Column, Table, Value};
use std::fmt::Write as _;

impl Printer<'_> {
    /// One row a group.
    pub(super) fn grouped(&self, grouping: &Grouping) -> Rows {
        let mut build = Build::new(0);
        let table = self.table(grouping.table);
        let nodes = grouping.terms.iter().map(|(name, term)| {
            let node = match term {
                Term::Null => Node::Json("null".to_owned()),
                Term::Text(text) => Node::Json(quoted(text)),
                term => {
                    let (expression, print) = self::term(&mut build, table, term);
                    Node::Cell { index: build.cell(expression), print }
                }
            };
            (name.clone(), node)
        });
        let shape = Shape(nodes.collect());
        let conditions = self.conditions(&mut build, grouping.table, "t", grouping.filter.as_ref(), &[]);
        let mut sql = format!("FROM \"{}\" t", table.name);
        if !conditions.is_empty() {
            let _ = write!(sql, " WHERE {}", conditions.join(" AND "));
        }
        if !grouping.keys.is_empty() {
            let keys: Vec<String> =
                grouping.keys.iter().map(|key| self::key(&mut build, table, key).0).collect();
            let _ = write!(sql, " GROUP BY {}", keys.join(", "));
        }
        if !grouping.order.is_empty() {
            let terms: Vec<String> = grouping
                .order
                .iter()
                .map(|(term, direction)| {
                    let (expression, print) = self::term(&mut build, table, term);
                    ordered(&collated(expression, print), *direction, true)
                })
                .collect();
            let _ = write!(sql, " ORDER BY {}", terms.join(", "));
        }
        let offset = (grouping.offset > 0).then_some(grouping.offset);
        Self::limit(&mut sql, &mut build, Some(grouping.limit), offset);
        build.finish(&sql, shape)
    }
}

/// A field of a grouped row, as an expression.
fn term(build: &mut Build, table: &Table, term: &Term) -> (String, Print) {
    match term {
        Term::Key(key) => self::key(build, table, key),
        Term::Count => ("count(*)".to_owned(), Print::Integer),
        Term::CountDistinct(columns) => {
            let columns: Vec<&Column> = columns.iter().map(|id| table.column(*id)).collect();
            (count(&columns, true, "t"), Print::Integer)
        }
        Term::Sum(column) => applied(Function::Sum, table.column(*column), false, "t"),
        Term::Max(key) => {
            let (expression, print) = self::key(build, table, key);
            (format!("max({expression})"), print)
        }
        Term::Null | Term::Text(_) => ("NULL".to_owned(), Print::Text),
    }
}

/// What rows are brought together by, as an expression.
fn key(build: &mut Build, table: &Table, key: &Key) -> (String, Print) {
    match key {
        Key::Column(column) => {
            let column = table.column(*column);
            (format!("t.\"{}\"", column.name), print_of(column))
        }
        Key::Time(column, unit) => {
            let column = table.column(*column);
            (format!("time_start(t.\"{}\", '{}')", column.name, unit.name()), print_of(column))
        }
        Key::JsonKey(column, key) => {
            // The same key must be the same parameter wherever it stands, or GROUP BY would not recognise it.
            let wanted = Value::Text(key.clone());
            let parameter = match build.values.iter().position(|value| *value == wanted) {
                Some(place) => format!("?{}", build.reserved + place + 1),
                None => build.bind(wanted),
            };
            (format!("json_text(t.\"{}\", {parameter})", table.column(*column).name), Print::Text)
        }
    }
}
