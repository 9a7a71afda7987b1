//! Prints a [`Query`] as SQL statements for SQLite or PostgreSQL.
//!
//! To-one relationships are joined into the statement of their object. To-many relationships and aggregates become separate statements. In
//! SQLite these run once per parent row, because a statement is only a function call and therefore cheaper than a grouped join. In
//! PostgreSQL they run once for many parent rows, because a statement is a round trip.

mod change;
mod figures;
mod filter;
mod grouped;
mod keys;
mod nested;
#[cfg(test)]
mod nested_tests;
#[cfg(test)]
mod order_tests;
mod page;
mod spelling;
mod walk;

pub(crate) use change::ChangePrinter;

use crate::access::row_condition;
use crate::ddl;
use crate::plan::{Body, Data, Node, Plan, Rows, Shape};
use crate::query::{Field, FieldKind, Filter, Query, QueryKind, Range, Select};
use crate::segments;
use crate::sql::Dialect;
use crate::statement::{ParameterValue, Print, Statement};
use catalogue::{
    Caller, Catalogue, Column, ColumnId, RelationshipId, Right, Scalar, Scope, Table, TableId, TableKind,
    Value,
};
use std::fmt::Write as _;

/// Plans how `query` is answered for `caller`.
pub(crate) fn plan(dialect: Dialect, catalogue: &Catalogue, caller: &Caller, query: &Query) -> Plan {
    let printer = Printer { catalogue, caller, dialect };
    let is_point_read = match &query.kind {
        QueryKind::First(select) => is_of_one_row(catalogue.table(select.table), &select.fields),
        QueryKind::Text(_) => true,
        _ => false,
    };
    let data = match &query.kind {
        QueryKind::List(select) => Data::Rows(printer.select(select)),
        QueryKind::First(select) => Data::First(printer.select(select)),
        QueryKind::Aggregate(aggregate) => {
            Data::Aggregate(printer.aggregate(aggregate.table, &aggregate.parts, &aggregate.range, &[]))
        }
        QueryKind::Grouped(grouping) => Data::Grouped {
            rows: printer.grouped(grouping),
            columns: segments::plan(printer.planner(), grouping).map(Box::new),
            shape: grouping.shape.clone(),
        },
        QueryKind::Text(text) => Data::Json(quoted(text)),
        QueryKind::Code(code) => {
            return Plan { name: query.name.clone(), body: Body::Code(code.clone()), is_point_read };
        }
        QueryKind::Json(json) => Data::Json(json.clone()),
    };
    Plan { name: query.name.clone(), body: Body::Data(data), is_point_read }
}

/// Selects the values of a column in the rows that the caller may read and that match the filter.
fn matching_values(
    catalogue: &Catalogue,
    caller: &Caller,
    table: TableId,
    column: ColumnId,
    filter: &Filter,
) -> Statement {
    let fields = [Field { name: "value".to_owned(), kind: FieldKind::Column { column, path: None } }];
    let range = Range { filter: Some(filter.clone()), ..Range::default() };
    Printer { catalogue, caller, dialect: Dialect::Sqlite }.rows(table, &fields, &range, &[]).statement
}

/// Whether reading these fields of a row by key touches no other row. A view may read many.
fn is_of_one_row(table: &Table, fields: &[Field]) -> bool {
    let is_own = |field: &Field| matches!(field.kind, FieldKind::Column { .. } | FieldKind::Text(_));
    !matches!(table.kind, TableKind::View { .. }) && fields.iter().all(is_own)
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

struct Printer<'a> {
    catalogue: &'a Catalogue,
    caller: &'a Caller,
    dialect: Dialect,
}

/// An SQL statement under construction.
struct Build {
    cells: Vec<String>,
    joins: String,
    /// Joined one-relationships: (source alias, relationship, alias of the joined table).
    joined: Vec<(String, RelationshipId, String)>,
    values: Vec<ParameterValue>,
    /// Number of parameters before the values: the tenant and the parent's cells.
    reserved: usize,
    aliases: usize,
    /// Number of nested lists and aggregates so far.
    nested: usize,
}

impl Build {
    fn new(keys: usize) -> Self {
        Self {
            cells: Vec::new(),
            joins: String::new(),
            joined: Vec::new(),
            values: Vec::new(),
            reserved: 1 + keys,
            aliases: 0,
            nested: 0,
        }
    }

    fn bind(&mut self, value: Value) -> String {
        self.push(ParameterValue::Value(value))
    }

    fn bind_slot(&mut self, slot: usize) -> String {
        self.push(ParameterValue::Parameter(slot))
    }

    fn push(&mut self, bound: ParameterValue) -> String {
        self.values.push(bound);
        format!("?{}", self.reserved + self.values.len())
    }

    fn cell(&mut self, expression: String) -> usize {
        if let Some(index) = self.cells.iter().position(|cell| *cell == expression) {
            return index;
        }
        self.cells.push(expression);
        self.cells.len() - 1
    }

    fn alias(&mut self) -> String {
        self.aliases += 1;
        format!("j{}", self.aliases)
    }

    /// Allocates the number of a further nested list or aggregate.
    fn nest(&mut self) -> usize {
        self.nested += 1;
        self.nested - 1
    }

    fn finish(mut self, rest: &str, shape: Shape) -> Rows {
        if self.cells.is_empty() {
            self.cells.push("1".to_owned());
        }
        let sql = format!("SELECT {} {rest}", self.cells.join(", "));
        Rows { statement: Statement { sql, values: self.values }, shape, nested: self.nested, parent: None }
    }
}

impl Printer<'_> {
    /// The planner for answers from column segments, for the same caller.
    fn planner(&self) -> segments::Planner<'_> {
        segments::Planner { catalogue: self.catalogue, caller: self.caller, values: matching_values }
    }

    fn table(&self, id: TableId) -> &Table {
        self.catalogue.table(id)
    }

    fn select(&self, select: &Select) -> Rows {
        self.rows(select.table, &select.fields, &select.range, &[])
    }

    /// Selects rows of `table`; `bound` are the columns that equal the parent's cells, in the order of the parameters.
    fn rows(&self, table: TableId, fields: &[Field], range: &Range, bound: &[ColumnId]) -> Rows {
        let mut build = Build::new(bound.len());
        let shape = self.shape(&mut build, table, "t", fields);
        let rest = if !build.joins.is_empty() && self.is_paged(table, range) {
            self.tail_of_page(&mut build, table, range, bound)
        } else {
            self.tail(&mut build, table, range, bound)
        };
        let cells = build.cells.len().max(1);
        self.for_parents(build.finish(&rest, shape), table, bound, cells, true)
    }

    fn shape(&self, build: &mut Build, table: TableId, alias: &str, fields: &[Field]) -> Shape {
        let described = self.table(table);
        let nodes = fields.iter().map(|field| {
            let node = match &field.kind {
                FieldKind::Text(text) => Node::Json(quoted(text)),
                FieldKind::Column { column, path } => {
                    let column = described.column(*column);
                    let expression = match path {
                        None => self.dialect.cell(alias, column),
                        Some(path) => {
                            let parameter = build.bind(Value::Text(self.dialect.path(path)));
                            self.dialect.json_at(&self.dialect.cell(alias, column), &parameter)
                        }
                    };
                    Node::Cell { index: build.cell(expression), print: self.printed(column) }
                }
                FieldKind::One { relationship, fields } => {
                    let joined = self.join(build, table, alias, *relationship);
                    let related = described.relationship(*relationship);
                    let target = self.table(related.target);
                    let proof = target.primary_key.first().copied().unwrap_or(related.join[0].1);
                    let present = build.cell(format!("{joined}.\"{}\"", target.column(proof).name));
                    let shape = self.shape(build, related.target, &joined, fields);
                    Node::Object { present: Some(present), shape }
                }
                FieldKind::Many { relationship, fields, range } => {
                    let (keys, bound) = self.keys(build, table, alias, *relationship);
                    let target = described.relationship(*relationship).target;
                    let rows = Box::new(self.rows(target, fields, range, &bound));
                    Node::Many { place: build.nest(), keys, rows }
                }
                FieldKind::Aggregate { relationship, parts, range } => {
                    let (keys, bound) = self.keys(build, table, alias, *relationship);
                    let target = described.relationship(*relationship).target;
                    let parts = self.aggregate(target, parts, range, &bound);
                    Node::Aggregate { place: build.nest(), keys, parts }
                }
            };
            (field.name.clone(), node)
        });
        Shape::of(nodes)
    }

    /// The cells of this row that bind a to-many relationship, and the target columns they equal.
    fn keys(
        &self,
        build: &mut Build,
        table: TableId,
        alias: &str,
        relationship: RelationshipId,
    ) -> (Vec<usize>, Vec<ColumnId>) {
        let described = self.table(table);
        let join = &described.relationship(relationship).join;
        join.iter()
            .map(|(here, there)| {
                (build.cell(format!("{alias}.\"{}\"", described.column(*here).name)), *there)
            })
            .unzip()
    }

    /// The alias of a joined one-relationship; adds the join if necessary.
    fn join(&self, build: &mut Build, table: TableId, alias: &str, relationship: RelationshipId) -> String {
        if let Some((_, _, joined)) =
            build.joined.iter().find(|(from, known, _)| from == alias && *known == relationship)
        {
            return joined.clone();
        }
        let joined = build.alias();
        let described = self.table(table);
        let related = described.relationship(relationship);
        let mut conditions = self.join_conditions(table, alias, relationship, &joined);
        conditions.extend(row_condition(
            self.dialect,
            self.catalogue,
            self.caller,
            Right::Read,
            related.target,
            &joined,
        ));
        let _ = write!(
            build.joins,
            " LEFT JOIN \"{}\" {joined} ON {}",
            self.table(related.target).name,
            conditions.join(" AND ")
        );
        build.joined.push((alias.to_owned(), relationship, joined.clone()));
        joined
    }

    /// The condition for rows that the caller may access, among those selected by the `bound` columns. An index on the bound columns finds
    /// few rows, one on the tenant finds all. SQLite has no row counts to tell them apart and is kept from using the latter with a unary
    /// `+`.
    fn met_beside(&self, right: Right, table: TableId, alias: &str, bound: &[ColumnId]) -> Option<String> {
        let condition = row_condition(self.dialect, self.catalogue, self.caller, right, table, alias)?;
        if self.dialect == Dialect::Postgres {
            return Some(condition);
        }
        let described = self.table(table);
        let is_led = described
            .indices
            .iter()
            .any(|index| index.columns.first().is_some_and(|column| bound.contains(column)));
        let is_first = matches!(described.scope, Scope::Tenant(column) if !bound.contains(&column));
        Some(if is_led && is_first { format!("+{condition}") } else { condition })
    }

    fn join_conditions(
        &self,
        table: TableId,
        alias: &str,
        relationship: RelationshipId,
        other: &str,
    ) -> Vec<String> {
        let described = self.table(table);
        let related = described.relationship(relationship);
        let target = self.table(related.target);
        let pair = |(here, there): &(ColumnId, ColumnId)| {
            format!(
                "{other}.\"{}\" = {alias}.\"{}\"",
                target.column(*there).name,
                described.column(*here).name
            )
        };
        related.join.iter().map(pair).collect()
    }

    /// How a cell is written as JSON. JSON values computed by PostgreSQL contain whitespace.
    fn printed(&self, column: &Column) -> Print {
        match Print::of(column) {
            Print::Json if self.dialect == Dialect::Postgres => Print::JsonWithWhitespace,
            print => print,
        }
    }

    /// The table's name, or the SELECT of a view with arguments.
    fn source(&self, build: &mut Build, table: TableId, range: &Range) -> String {
        let described = self.table(table);
        match &described.kind {
            TableKind::View { select, parameters } if !parameters.is_empty() => {
                // Longest name first, so that `:from` is not replaced inside `:from_day`.
                let mut arguments: Vec<_> = range.arguments.iter().collect();
                arguments.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
                let select = match self.dialect {
                    Dialect::Sqlite => select.trim().to_owned(),
                    Dialect::Postgres => ddl::postgres::view_text(select),
                };
                let text = arguments.into_iter().fold(select, |text, (name, value)| {
                    let parameter = build.bind(value.clone());
                    text.replace(&format!(":{name}"), &parameter)
                });
                format!("(\n{text}\n)")
            }
            _ => format!("\"{}\"", described.name),
        }
    }

    /// The expression for a column of the row with this alias. Decimals lose their collation in a view.
    fn column(&self, table: TableId, alias: &str, column: ColumnId) -> (String, Print) {
        let described = self.table(table);
        let column = described.column(column);
        let (cell, print) = (self.dialect.cell(alias, column), Print::of(column));
        let is_view = matches!(described.kind, TableKind::View { .. });
        if is_view { (self.dialect.collated(cell, print), print) } else { (cell, print) }
    }

    /// The expression by which rows are sorted and compared: equal JSON may differ in whitespace and key order.
    fn sorted(&self, table: TableId, alias: &str, column: ColumnId) -> String {
        let is_citext = self.table(table).column(column).scalar == Scalar::Citext;
        match self.column(table, alias, column) {
            (expression, Print::Json) => format!("json_sort_key({expression})"),
            (expression, _) => self.dialect.told_apart(&expression, is_citext),
        }
    }

    /// The conditions on the rows of a statement. `bound` are columns that equal the parent's cells.
    fn conditions(
        &self,
        build: &mut Build,
        table: TableId,
        alias: &str,
        filter: Option<&Filter>,
        bound: &[ColumnId],
    ) -> Vec<String> {
        let described = self.table(table);
        let equal = |(place, id): (usize, &ColumnId)| {
            let column = described.column(*id);
            format!("{alias}.\"{}\" = {}", column.name, self.parent_cell(column, place))
        };
        let mut conditions: Vec<String> = bound.iter().enumerate().map(equal).collect();
        conditions.extend(self.met_beside(Right::Read, table, alias, bound));
        conditions.extend(filter.map(|filter| self.filter(build, table, alias, filter)));
        conditions
    }

    /// The conditions on one row whose columns are bound from parameter 2 on, for the given right.
    fn conditions_for(
        &self,
        right: Right,
        build: &mut Build,
        table: TableId,
        filter: Option<&Filter>,
        bound: &[ColumnId],
    ) -> Vec<String> {
        let described = self.table(table);
        let equal = |(place, id): (usize, &ColumnId)| {
            format!("t.\"{}\" = ?{}", described.column(*id).name, place + 2)
        };
        let mut conditions: Vec<String> = bound.iter().enumerate().map(equal).collect();
        conditions.extend(self.met_beside(right, table, "t", bound));
        conditions.extend(filter.map(|filter| self.filter(build, table, "t", filter)));
        conditions
    }

    /// Whether matching rows may have null in the column; ORDER BY must then state the position of nulls.
    pub(super) fn may_be_null(&self, table: TableId, column: ColumnId, filter: Option<&Filter>) -> bool {
        self.table(table).column(column).nullable
            && !filter.is_some_and(|filter| filter.excludes_null(column))
    }
}
