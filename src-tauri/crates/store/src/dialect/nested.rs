//! Prints statements for related rows and their aggregates, for one parent row or for many.

use super::figures::{applied, count};
use super::{Build, Printer, quoted};
use crate::ddl;
use crate::plan::{AggregateBody, Node, Rows, Shape};
use crate::query::{AggregatePart, Figure, FigureKind, Range};
use crate::segments::Totals;
use crate::sql::Dialect;
use crate::statement::Print;
use catalogue::{Column, ColumnId, TableId};

impl Printer<'_> {
    /// The expression for a cell of the parent row: a parameter, or, if all parents are in one table, a column of `parent`.
    pub(super) fn parent_cell(&self, column: &Column, place: usize) -> String {
        match self.dialect {
            Dialect::Sqlite => format!("?{}", place + 2),
            Dialect::Postgres => {
                let collation = ddl::postgres::collation(column);
                let collation = collation.map_or_else(String::new, |name| format!(" COLLATE \"{name}\""));
                format!("parent.k{place}{collation}")
            }
        }
    }

    /// In PostgreSQL, turns a statement for one parent into one for many parents. Parent cells are bound as lists, each row ends with the
    /// number of its parent, and rows of a parent keep their order. `cells` is the number of cells of a row; `is_list` is false if each
    /// parent has exactly one row.
    pub(super) fn for_parents(
        &self,
        rows: Rows,
        table: TableId,
        bound: &[ColumnId],
        cells: usize,
        is_list: bool,
    ) -> Rows {
        if bound.is_empty() || self.dialect == Dialect::Sqlite {
            return rows;
        }
        let (mut lists, mut names) = (Vec::new(), Vec::new());
        for (place, column) in bound.iter().enumerate() {
            let kind = ddl::postgres::scalar_type(self.table(table).column(*column));
            lists.push(format!("?{}::{kind}[]", place + 2));
            names.push(format!("k{place}"));
        }
        let (lists, names, inner) = (lists.join(", "), names.join(", "), &rows.statement.sql);
        // A subquery with ORDER BY keeps its order, but a join may not.
        let (inner, order) = if is_list {
            (
                format!("SELECT listed.*, row_number() OVER () AS \"row#\" FROM ({inner}) listed"),
                ", child.\"row#\"",
            )
        } else {
            (inner.clone(), "")
        };
        let sql = format!(
            "SELECT child.*, parent.\"parent#\" FROM unnest({lists}) WITH ORDINALITY AS parent({names}, \"parent#\") \
             CROSS JOIN LATERAL ({inner}) child ORDER BY parent.\"parent#\"{order}"
        );
        let mut rows = rows;
        rows.statement.sql = sql;
        rows.parent = Some(cells + usize::from(is_list));
        rows
    }

    pub(super) fn aggregate(
        &self,
        table: TableId,
        parts: &[AggregatePart],
        range: &Range,
        bound: &[ColumnId],
    ) -> Vec<(String, AggregateBody)> {
        parts
            .iter()
            .map(|part| match part {
                AggregatePart::Text { name, text } => (name.clone(), AggregateBody::Json(quoted(text))),
                AggregatePart::Nodes { name, fields } => {
                    (name.clone(), AggregateBody::Nodes(self.rows(table, fields, range, bound)))
                }
                AggregatePart::Figures { name, figures } => {
                    let totals = Totals::of(self.planner(), table, figures, range, bound);
                    let rows = self.figures(table, figures, range, bound);
                    (name.clone(), AggregateBody::Figures(rows, totals.map(Box::new)))
                }
            })
            .collect()
    }

    fn figures(&self, table: TableId, figures: &[Figure], range: &Range, bound: &[ColumnId]) -> Rows {
        let mut build = Build::new(bound.len());
        let described = self.table(table);
        let nodes = figures.iter().map(|figure| {
            let node = match &figure.kind {
                FigureKind::Text(text) => Node::Json(quoted(text)),
                FigureKind::Count { columns, distinct } => {
                    let columns: Vec<&Column> = columns.iter().map(|id| described.column(*id)).collect();
                    Node::Cell {
                        index: build.cell(count(self.dialect, &columns, *distinct, "t")),
                        print: Print::Integer,
                    }
                }
                FigureKind::Of { function, columns } => {
                    let columns = columns.iter().map(|figure| {
                        let node = match figure.column {
                            None => Node::Json(quoted(&figure.text)),
                            Some(column) => {
                                let (expression, print) =
                                    applied(self.dialect, *function, described.column(column), false, "t");
                                Node::Cell { index: build.cell(expression), print }
                            }
                        };
                        (figure.name.clone(), node)
                    });
                    Node::Object { present: None, shape: Shape::of(columns) }
                }
            };
            (figure.name.clone(), node)
        });
        let shape = Shape::of(nodes);
        // Without an aggregate the statement would return one row per row of the table.
        if build.cells.is_empty() {
            build.cell("count(*)".to_owned());
        }
        let mut inner_range = range.clone();
        if !range.is_bounded() {
            inner_range.order.clear();
        }
        let tail = self.tail(&mut build, table, &inner_range, bound);
        let rest = if range.is_bounded() { format!("FROM (SELECT t.* {tail}) t") } else { tail };
        let cells = build.cells.len();
        self.for_parents(build.finish(&rest, shape), table, bound, cells, false)
    }
}
