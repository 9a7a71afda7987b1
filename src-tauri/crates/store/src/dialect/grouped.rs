//! Prints listings: rows individually or grouped by keys, with aggregates.

use super::figures::{applied, combination};
use super::keys::as_text;
use super::{Build, Printer, quoted};
use crate::plan::{Node, Rows, Shape};
use crate::query::{Function, Grouping, Key, Rows as Number, Term};
use crate::sql::Dialect;
use crate::statement::Print;
use catalogue::{ColumnId, Scalar, TableId};
use std::fmt::Write as _;

impl Printer<'_> {
    /// Prints a listing with one row per group.
    pub(super) fn grouped(&self, grouping: &Grouping) -> Rows {
        let mut build = Build::new(0);
        let table = grouping.table;
        let nodes = grouping.terms.iter().map(|(name, term)| {
            let node = match term {
                Term::Null => Node::Json("null".to_owned()),
                Term::Text(text) => Node::Json(quoted(text)),
                term => {
                    let (expression, print) = self.term(&mut build, table, term);
                    Node::Cell { index: build.cell(expression), print }
                }
            };
            (name.clone(), node)
        });
        let shape = Shape::of(nodes);
        let shown: Vec<(String, Print)> =
            grouping.keys.iter().map(|key| self.shown_key(&mut build, table, key)).collect();
        let keys: Vec<String> = shown.iter().map(|(key, _)| key.clone()).collect();
        let mut order: Vec<String> = grouping
            .order
            .iter()
            .map(|(term, direction)| {
                let (expression, print) = self.term(&mut build, table, term);
                let may_be_null = match term {
                    Term::Key(Key::Column(id)) => self.may_be_null(table, *id, grouping.filter.as_ref()),
                    _ => true,
                };
                self.dialect.ordered(&self.dialect.in_order(expression, print), *direction, may_be_null)
            })
            .collect();
        // Printed after everything that may add a join, and before the joins are written to FROM.
        let conditions = self.conditions(&mut build, table, "t", grouping.filter.as_ref(), &[]);
        let mut sql = format!("FROM \"{}\" t{}", self.table(table).name, build.joins);
        if !conditions.is_empty() {
            let _ = write!(sql, " WHERE {}", conditions.join(" AND "));
        }
        if !keys.is_empty() {
            let _ = write!(sql, " GROUP BY {}", keys.join(", "));
        }
        // Groups that are equal in the requested order are sorted by their keys: pages are then consistent, and segments return the same order.
        order.extend(shown.into_iter().map(|(key, print)| self.in_key_order(key, print)));
        if !order.is_empty() {
            let _ = write!(sql, " ORDER BY {}", order.join(", "));
        }
        let offset = (grouping.offset > 0).then_some(grouping.offset);
        self.limit(&mut sql, &mut build, Some(Number::Known(grouping.limit)), offset.map(Number::Known));
        build.finish(&sql, shape)
    }

    /// The expression for a field of a row.
    fn term(&self, build: &mut Build, table: TableId, term: &Term) -> (String, Print) {
        match term {
            Term::Key(key) => self.shown_key(build, table, key),
            Term::Max(key) => {
                let (expression, print) = self.shown_key(build, table, key);
                (format!("max({expression})"), print)
            }
            Term::AsText(term) => match self.term(build, table, term) {
                (expression, Print::Instant) => (expression, Print::Instant),
                (expression, print) => (as_text(&expression, print), Print::Text),
            },
            Term::Only(term, filter) => {
                let (expression, print) = self.figure(build, table, term);
                let condition = self.filter(build, table, "t", filter);
                let call = format!("{expression} FILTER (WHERE {condition})");
                shown(self.dialect.finished(call, term), print)
            }
            Term::Null | Term::Text(_) => ("NULL".to_owned(), Print::Text),
            figure => {
                let (expression, print) = self.figure(build, table, figure);
                shown(self.dialect.finished(expression, figure), print)
            }
        }
    }

    /// An aggregate as one function call, so that FILTER can be appended.
    fn figure(&self, build: &mut Build, table: TableId, term: &Term) -> (String, Print) {
        let described = self.table(table);
        match term {
            Term::CountDistinct(keys) => {
                let keys: Vec<(String, Print, bool)> = keys
                    .iter()
                    .map(|key| {
                        let any_case =
                            matches!(key, Key::Column(id) if described.column(*id).scalar == Scalar::Citext);
                        let (expression, print) = self.key(build, table, "t", key);
                        (expression, print, any_case)
                    })
                    .collect();
                (combination(self.dialect, &keys), Print::Integer)
            }
            Term::Sum(column) => applied(self.dialect, Function::Sum, described.column(*column), false, "t"),
            Term::Of(function, column) => {
                applied(self.dialect, *function, described.column(*column), false, "t")
            }
            Term::Latest { value: of, order_by: by } => {
                let (value, print) = self.shown_key(build, table, &Key::Column(*of));
                let by = self.plain(table, *by);
                let tie =
                    described.primary_key.first().map_or("NULL".to_owned(), |key| self.plain(table, *key));
                (self.dialect.value_at_greatest(&value, &by, &tie), print)
            }
            Term::Values(column) => {
                let cell = self.plain(table, *column);
                let (value, print) = match Print::of(described.column(*column)) {
                    Print::Uuid => (format!("uuid_text({cell})"), Print::Text),
                    print => (cell, print),
                };
                (self.dialect.json_values(&value, print), Print::Json)
            }
            _ => ("count(*)".to_owned(), Print::Integer),
        }
    }

    /// A key as a sort term for the order of groups: nulls first, then as in SQLite and segments.
    fn in_key_order(&self, key: String, print: Print) -> String {
        match self.dialect {
            Dialect::Sqlite => key,
            Dialect::Postgres => format!("{} ASC NULLS FIRST", self.dialect.in_order(key, print)),
        }
    }

    fn plain(&self, table: TableId, column: ColumnId) -> String {
        self.dialect.cell("t", self.table(table).column(column))
    }

    fn shown_key(&self, build: &mut Build, table: TableId, key: &Key) -> (String, Print) {
        let (expression, print) = self.key(build, table, "t", key);
        shown(expression, print)
    }
}

/// Listings return JSON as text and times with a zone (semantics §5).
fn shown(expression: String, print: Print) -> (String, Print) {
    match print {
        Print::Json => (format!("json_print({expression})"), Print::Text),
        Print::Timestamp | Print::Timestamptz => (expression, Print::Instant),
        print => (expression, print),
    }
}
