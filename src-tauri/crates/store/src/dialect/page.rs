//! Prints everything after the selected cells: which rows are read, in which order, and which page.

use super::{Build, Printer};
use crate::query::{Order, OrderBy, Range, Rows as Number};
use crate::sql::Dialect;
use catalogue::{ColumnId, TableId, TableKind, Value};
use std::fmt::Write as _;

impl Printer<'_> {
    /// FROM, joins, WHERE, ORDER BY, LIMIT. Must be called after the cells are printed, because they may add joins.
    pub(super) fn tail(
        &self,
        build: &mut Build,
        table: TableId,
        range: &Range,
        bound: &[ColumnId],
    ) -> String {
        let order = self.order(build, table, "t", range);
        let (from, conditions) = if range.distinct.is_empty() {
            let source = self.source(build, table, range);
            let walked = if bound.is_empty() && self.dialect == Dialect::Sqlite {
                self.walked_index(table, range)
            } else {
                None
            };
            let walked = walked.map_or_else(String::new, |index| format!(" INDEXED BY \"{index}\""));
            (format!("{source} t{walked}"), self.conditions(build, table, "t", range.filter.as_ref(), bound))
        } else {
            (self.distinct(build, table, range, bound), Vec::new())
        };
        let mut sql = format!("FROM {from}{}", build.joins);
        if !conditions.is_empty() {
            let _ = write!(sql, " WHERE {}", conditions.join(" AND "));
        }
        if !order.is_empty() {
            let _ = write!(sql, " ORDER BY {order}");
        }
        self.limit(&mut sql, build, range.limit, range.offset);
        sql
    }

    /// Whether the rows of a page can be determined without the joined tables.
    pub(super) fn is_paged(&self, table: TableId, range: &Range) -> bool {
        let is_own = |order: &Order| order.path.is_empty() && matches!(order.by, OrderBy::Column(_));
        self.dialect == Dialect::Sqlite
            && range.limit.is_some()
            && range.distinct.is_empty()
            && range.order.iter().all(is_own)
            && matches!(self.table(table).kind, TableKind::Table)
    }

    /// Like [`Self::tail`], but determines the rows of the page first. Otherwise every row that is sorted or skipped would be joined.
    pub(super) fn tail_of_page(
        &self,
        build: &mut Build,
        table: TableId,
        range: &Range,
        bound: &[ColumnId],
    ) -> String {
        let mut inner = Build::new(0);
        inner.reserved = build.reserved + build.values.len();
        inner.aliases = build.aliases;
        let page = self.tail(&mut inner, table, range, bound);
        build.values.append(&mut inner.values);
        build.aliases = inner.aliases;
        let order = self.order(build, table, "t", range);
        let mut sql = format!(
            "FROM (SELECT t.rowid AS \"#\" {page}) page CROSS JOIN \"{}\" t ON t.rowid = page.\"#\"{}",
            self.table(table).name,
            build.joins
        );
        if !order.is_empty() {
            let _ = write!(sql, " ORDER BY {order}");
        }
        sql
    }

    pub(super) fn limit(
        &self,
        sql: &mut String,
        build: &mut Build,
        limit: Option<Number>,
        offset: Option<Number>,
    ) {
        let bound = |build: &mut Build, number: Number| match number {
            Number::Known(number) => build.bind(Value::Int(i64::try_from(number).unwrap_or(i64::MAX))),
            Number::Parameter(slot) => build.bind_slot(slot),
        };
        match (limit, offset) {
            (None, None) => {}
            (Some(limit), None) => {
                let _ = write!(sql, " LIMIT {}", bound(build, limit));
            }
            (None, Some(offset)) if self.dialect == Dialect::Postgres => {
                let _ = write!(sql, " OFFSET {}", bound(build, offset));
            }
            (limit, Some(offset)) => {
                let limit = match limit {
                    Some(limit) => bound(build, limit),
                    None => build.bind(Value::Int(-1)),
                };
                let _ = write!(sql, " LIMIT {limit} OFFSET {}", bound(build, offset));
            }
        }
    }

    /// The first row of each combination, as a subquery with alias `t`.
    fn distinct(&self, build: &mut Build, table: TableId, range: &Range, bound: &[ColumnId]) -> String {
        let mut inner = Build::new(0);
        inner.reserved = build.reserved + build.values.len();
        inner.aliases = build.aliases;
        let conditions = self.conditions(&mut inner, table, "d", range.filter.as_ref(), bound);
        let order = self.order(&mut inner, table, "d", range);
        let by: Vec<String> = range.distinct.iter().map(|column| self.sorted(table, "d", *column)).collect();
        let mut sql =
            format!("(SELECT * FROM (SELECT d.*, row_number() OVER (PARTITION BY {}", by.join(", "));
        if !order.is_empty() {
            let _ = write!(sql, " ORDER BY {order}");
        }
        let source = self.source(&mut inner, table, range);
        let _ = write!(sql, ") AS \"#\" FROM {source} d{}", inner.joins);
        if !conditions.is_empty() {
            let _ = write!(sql, " WHERE {}", conditions.join(" AND "));
        }
        sql.push_str(") ranked WHERE ranked.\"#\" = 1) t");
        build.values.append(&mut inner.values);
        build.aliases = inner.aliases;
        sql
    }

    pub(super) fn order(&self, build: &mut Build, table: TableId, alias: &str, range: &Range) -> String {
        let (first, filter) = (table, range.filter.as_ref());
        let terms: Vec<String> = range
            .order
            .iter()
            .map(|order| {
                let (mut table, mut alias, mut nullable) = (table, alias.to_owned(), false);
                for step in &order.path {
                    alias = self.join(build, table, &alias, *step);
                    table = self.table(table).relationship(*step).target;
                    nullable = true;
                }
                match &order.by {
                    OrderBy::Column(id) => {
                        let column = self.table(table).column(*id);
                        let expression = self.sorted(table, &alias, *id);
                        let may_be_null = if order.path.is_empty() {
                            self.may_be_null(first, *id, filter)
                        } else {
                            nullable || column.nullable
                        };
                        self.dialect.ordered(&expression, order.direction, may_be_null)
                    }
                    OrderBy::Figure(figure) => {
                        let (expression, print) = self.related_figure(build, table, &alias, figure);
                        self.dialect.ordered(&self.dialect.in_order(expression, print), order.direction, true)
                    }
                }
            })
            .collect();
        terms.join(", ")
    }
}
