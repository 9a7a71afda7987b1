//! A query builder for one table, with tables and columns by name.

use catalogue::{ColumnId, Scalar, Table, TableId, Value, ValueRef};
use graphql::Refusal;
use serde_json::Value as Json;
use store::query::{
    self, AggregatePart, AggregateSelect, Direction, Field, FieldKind, Figure, FigureKind, Filter, Grouping,
    GroupingShape, Operator, Order, OrderBy, QueryKind, Range, Rows, Select, Subject, Term, Test,
};
use store::{Query, StoreError, Transaction};

/// A group key: a column, or the text under a key of a JSON column.
#[derive(Clone, Copy)]
pub(crate) enum Key<'k> {
    Column(&'k str),
    Json(&'k str, &'k str),
}

/// A field of a group.
#[derive(Clone, Copy)]
pub(crate) enum Part<'k> {
    Key(Key<'k>),
    /// The number of rows.
    Count,
    /// The exact sum of a column.
    Sum(&'k str),
    /// The largest value of a column.
    Largest(&'k str),
}

/// A query on one table. The store adds the caller's scope.
pub(crate) struct Look<'a> {
    rows: &'a Transaction<'a>,
    id: TableId,
    table: &'a Table,
    conditions: Vec<Filter>,
    range: Range,
}

impl<'a> Look<'a> {
    /// All rows of a table that the caller can see.
    pub(crate) fn at(rows: &'a Transaction<'a>, table: &str) -> Result<Self, Refusal> {
        let unknown = || StoreError::UnknownTable(table.to_owned());
        let id = rows.catalogue().find(table).ok_or_else(unknown)?;
        let table = rows.catalogue().table(id);
        Ok(Self { rows, id, table, conditions: Vec::new(), range: Range::default() })
    }

    /// The type of a column.
    pub(crate) fn scalar(&self, column: &str) -> Result<&'a Scalar, Refusal> {
        Ok(&self.table.column(self.column(column)?).scalar)
    }

    fn column(&self, name: &str) -> Result<ColumnId, StoreError> {
        let unknown =
            || StoreError::UnknownColumn { table: self.table.name.clone(), column: name.to_owned() };
        self.table.find_column(name).ok_or_else(unknown)
    }

    /// Adds the condition that a column passes the test.
    pub(crate) fn that(mut self, column: &str, test: Test) -> Result<Self, Refusal> {
        let subject = Subject::Column(self.column(column)?);
        self.conditions.push(Filter::Test { subject, test });
        Ok(self)
    }

    /// The condition that a column passes the test, without adding it.
    pub(crate) fn condition(&self, column: &str, test: Test) -> Result<Filter, Refusal> {
        Ok(Filter::Test { subject: Subject::Column(self.column(column)?), test })
    }

    /// Adds a condition.
    pub(crate) fn meeting(mut self, condition: Filter) -> Self {
        self.conditions.push(condition);
        self
    }

    /// Adds the condition that a column equals the value; `Null` means that the column is null.
    pub(crate) fn with<'v>(self, column: &str, value: impl Into<ValueRef<'v>>) -> Result<Self, Refusal> {
        let test = match value.into() {
            ValueRef::Null => Test::IsNull,
            value => Test::Compare(Operator::Equal, ValueRef::to_owned(value)),
        };
        self.that(column, test)
    }

    /// Adds the condition that a column is one of the values.
    pub(crate) fn one_of(self, column: &str, values: Vec<Value>) -> Result<Self, Refusal> {
        self.that(column, Test::OneOf(values))
    }

    /// Adds a comparison of two columns.
    pub(crate) fn beside(mut self, left: &str, operator: Operator, right: &str) -> Result<Self, Refusal> {
        let (left, right) = (self.key(&Key::Column(left))?, self.key(&Key::Column(right))?);
        self.conditions.push(Filter::Columns { left, operator, right });
        Ok(self)
    }

    /// Adds a column to the sort order; nulls count as largest.
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

    /// Like [`Self::ordered`], with the API's word for the direction: `asc`, `desc_nulls_last`, …
    pub(crate) fn ordered_as(mut self, column: &str, direction: &str) -> Result<Self, Refusal> {
        let by = OrderBy::Column(self.column(column)?);
        self.range.order.push(Order { path: Vec::new(), by, direction: read_direction(direction)? });
        Ok(self)
    }

    /// Like [`Self::ordered_as`], by a column of a related row.
    pub(crate) fn ordered_through(
        mut self,
        relationship: &str,
        column: &str,
        direction: &str,
    ) -> Result<Self, Refusal> {
        let unknown = |table: &Table, name: &str| StoreError::UnknownColumn {
            table: table.name.clone(),
            column: name.to_owned(),
        };
        let step =
            self.table.find_relationship(relationship).ok_or_else(|| unknown(self.table, relationship))?;
        let target = self.rows.catalogue().table(self.table.relationship(step).target);
        let column = target.find_column(column).ok_or_else(|| unknown(target, column))?;
        let by = OrderBy::Column(column);
        self.range.order.push(Order { path: vec![step], by, direction: read_direction(direction)? });
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

    /// The rows as objects with the given columns.
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

    /// One object per combination of the keys in `parts`, in the given order.
    pub(crate) fn grouped(
        &self,
        parts: &[(&str, Part<'_>)],
        order: &[(Part<'_>, bool)],
    ) -> Result<Vec<Json>, Refusal> {
        let keys = parts.iter().filter_map(|(_, part)| match part {
            Part::Key(key) => Some(self.key(key)),
            _ => None,
        });
        let direction = |descending: &bool| {
            if *descending {
                Direction::Descending { nulls_first: true }
            } else {
                Direction::Ascending { nulls_first: false }
            }
        };
        let grouping = Grouping {
            table: self.id,
            terms: parts
                .iter()
                .map(|(name, part)| Ok(((*name).to_owned(), self.term(part)?)))
                .collect::<Result<_, Refusal>>()?,
            keys: keys.collect::<Result<_, _>>()?,
            filter: Some(Filter::And(self.conditions.clone())),
            order: order
                .iter()
                .map(|(part, descending)| Ok((self.term(part)?, direction(descending))))
                .collect::<Result<_, Refusal>>()?,
            limit: known(self.range.limit).unwrap_or(u64::from(u32::MAX)),
            offset: known(self.range.offset).unwrap_or_default(),
            shape: GroupingShape::List,
        };
        let query = Query { name: "groups".to_owned(), kind: QueryKind::Grouped(grouping) };
        match self.rows.read(&query)? {
            Json::Array(rows) => Ok(rows),
            other => Ok(vec![other]),
        }
    }

    fn key(&self, key: &Key<'_>) -> Result<query::Key, Refusal> {
        Ok(match key {
            Key::Column(name) => query::Key::Column(self.column(name)?),
            Key::Json(name, key) => query::Key::JsonKey(self.column(name)?, (*key).to_owned()),
        })
    }

    fn term(&self, part: &Part<'_>) -> Result<Term, Refusal> {
        Ok(match part {
            Part::Key(key) => Term::Key(self.key(key)?),
            Part::Count => Term::Count,
            Part::Sum(name) => Term::Sum(self.column(name)?),
            Part::Largest(name) => Term::Max(query::Key::Column(self.column(name)?)),
        })
    }

    /// The number of matching rows, ignoring the limit.
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

fn read_direction(direction: &str) -> Result<Direction, Refusal> {
    let unknown = || Refusal::invalid(format!("unknown order \"{direction}\": expected asc or desc"));
    Direction::find(direction).ok_or_else(unknown)
}

fn known(rows: Option<Rows>) -> Option<u64> {
    match rows {
        Some(Rows::Known(rows)) => Some(rows),
        _ => None,
    }
}
