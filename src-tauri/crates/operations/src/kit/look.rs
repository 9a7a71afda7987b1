//! Rows of one table, asked for by name.

use catalogue::{ColumnId, Table, TableId, Value, ValueRef};
use graphql::Refusal;
use serde_json::Value as Json;
use store::query::{
    AggregatePart, AggregateSelect, Direction, Field, FieldKind, Figure, FigureKind, Filter, Operator, Order,
    OrderBy, QueryKind, Range, Rows, Select, Subject, Test,
};
use store::{Query, StoreError, Transaction};

/// Which rows of a table: the caller's scope is added by the store.
pub(crate) struct Look<'a> {
    rows: &'a Transaction<'a>,
    id: TableId,
    table: &'a Table,
    conditions: Vec<Filter>,
    range: Range,
}

impl<'a> Look<'a> {
    pub(crate) fn at(rows: &'a Transaction<'a>, table: &str) -> Result<Self, Refusal> {
        let unknown = || StoreError::UnknownTable(table.to_owned());
        let id = rows.catalogue().find(table).ok_or_else(unknown)?;
        let table = rows.catalogue().table(id);
        Ok(Self { rows, id, table, conditions: Vec::new(), range: Range::default() })
    }

    fn column(&self, name: &str) -> Result<ColumnId, StoreError> {
        let unknown =
            || StoreError::UnknownColumn { table: self.table.name.clone(), column: name.to_owned() };
        self.table.find_column(name).ok_or_else(unknown)
    }

    /// Rows whose column passes the test.
    pub(crate) fn that(mut self, column: &str, test: Test) -> Result<Self, Refusal> {
        let subject = Subject::Column(self.column(column)?);
        self.conditions.push(Filter::Test { subject, test });
        Ok(self)
    }

    /// Rows whose column has the value; null means rows in which it is null.
    pub(crate) fn with<'v>(self, column: &str, value: impl Into<ValueRef<'v>>) -> Result<Self, Refusal> {
        let test = match value.into() {
            ValueRef::Null => Test::IsNull,
            value => Test::Compare(Operator::Equal, ValueRef::to_owned(value)),
        };
        self.that(column, test)
    }

    /// Rows whose column is one of the values.
    pub(crate) fn one_of(self, column: &str, values: Vec<Value>) -> Result<Self, Refusal> {
        self.that(column, Test::OneOf(values))
    }

    /// Rows that meet a filter made elsewhere.
    pub(crate) fn meeting(mut self, filter: Filter) -> Self {
        self.conditions.push(filter);
        self
    }

    /// The next column the rows are ordered by; nulls count as largest.
    pub(crate) fn ordered(mut self, column: &str, descending: bool) -> Result<Self, Refusal> {
        let by = OrderBy::Column(self.column(column)?);
        let direction = if descending {
            Direction::Descending { nulls_first: true }
        } else {
            Direction::Ascending { nulls_first: false }
        };
        self.range.order.push(Order { path: Vec::new(), by, direction });
        Ok(self)
    }

    pub(crate) fn limit(mut self, limit: u64) -> Self {
        self.range.limit = Some(Rows::Known(limit));
        self
    }

    pub(crate) fn offset(mut self, offset: u64) -> Self {
        self.range.offset = Some(Rows::Known(offset));
        self
    }

    fn range(&self) -> Range {
        Range { filter: Some(Filter::And(self.conditions.clone())), ..self.range.clone() }
    }

    /// The rows as objects with the columns asked for.
    pub(crate) fn rows(&self, columns: &[&str]) -> Result<Vec<Json>, Refusal> {
        let field = |name: &&str| {
            let kind = FieldKind::Column { column: self.column(name)?, path: None };
            Ok(Field { name: (*name).to_owned(), kind })
        };
        let fields = columns.iter().map(field).collect::<Result<_, StoreError>>()?;
        let kind = QueryKind::List(Select { table: self.id, fields, range: self.range() });
        match self.rows.read(&Query { name: "rows".to_owned(), kind })? {
            Json::Array(rows) => Ok(rows),
            other => Ok(vec![other]),
        }
    }

    /// The first row.
    pub(crate) fn first(&self, columns: &[&str]) -> Result<Option<Json>, Refusal> {
        Ok(self.rows(columns)?.into_iter().next())
    }

    /// How many rows there are, whatever the limit.
    pub(crate) fn count(&self) -> Result<u64, Refusal> {
        let kind = FigureKind::Count { columns: Vec::new(), distinct: false };
        let figures = vec![Figure { name: "count".to_owned(), kind }];
        let parts = vec![AggregatePart::Figures { name: "figures".to_owned(), figures }];
        let range = Range { filter: Some(Filter::And(self.conditions.clone())), ..Range::default() };
        let kind = QueryKind::Aggregate(AggregateSelect { table: self.id, parts, range });
        let answer = self.rows.read(&Query { name: "rows".to_owned(), kind })?;
        Ok(answer["figures"]["count"].as_u64().unwrap_or_default())
    }
}
