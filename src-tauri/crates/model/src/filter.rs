//! Typed conditions and orders on columns: `users::status.eq(UserStatusType::Active)`.

use crate::cell::Cell;
use crate::table::{Column, Table};
use catalogue::{Catalogue, ColumnId, TableId, Value};
use std::marker::PhantomData;
use store::StoreError;
use store::query::{self, Direction, Key, Operator, OrderBy, Subject, Test};

/// A condition on rows of table `T`.
pub struct Filter<T> {
    pub(crate) node: Node,
    marker: PhantomData<fn() -> T>,
}

/// A condition whose names are not yet resolved in the catalogue.
#[derive(Debug, Clone)]
pub(crate) enum Node {
    And(Vec<Node>),
    Or(Vec<Node>),
    Not(Box<Node>),
    Test {
        column: &'static str,
        test: Test,
    },
    Columns {
        left: &'static str,
        operator: Operator,
        right: &'static str,
    },
    Related {
        relationship: &'static str,
        node: Box<Node>,
    },
    /// An already resolved condition.
    Resolved(query::Filter),
}

impl<T> Clone for Filter<T> {
    fn clone(&self) -> Self {
        Self::new(self.node.clone())
    }
}

impl<T> Filter<T> {
    pub(crate) const fn new(node: Node) -> Self {
        Self { node, marker: PhantomData }
    }

    /// Matches every row.
    pub const fn all() -> Self {
        Self::new(Node::And(Vec::new()))
    }

    /// Matches rows that meet at least one of the filters; matches no rows if there are no filters.
    pub fn any_of(filters: impl IntoIterator<Item = Self>) -> Self {
        Self::new(Node::Or(filters.into_iter().map(|filter| filter.node).collect()))
    }

    /// Matches rows that meet both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match self.node {
            Node::And(mut nodes) => {
                nodes.push(other.node);
                Self::new(Node::And(nodes))
            }
            node => Self::new(Node::And(vec![node, other.node])),
        }
    }

    /// Matches rows that meet at least one of the two.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self::any_of([self, other])
    }

    /// Matches rows with a related row that meets the filter. `relationship` is the name of a relationship from `T` to `R`.
    pub fn related<R: Table>(relationship: &'static str, filter: Filter<R>) -> Self {
        Self::new(Node::Related { relationship, node: Box::new(filter.node) })
    }

    /// Wraps a filter on this table that was already resolved, for example from a request.
    pub const fn resolved(filter: query::Filter) -> Self {
        Self::new(Node::Resolved(filter))
    }
}

impl<T> std::ops::Not for Filter<T> {
    type Output = Self;

    fn not(self) -> Self {
        Self::new(Node::Not(Box::new(self.node)))
    }
}

impl<T, V: Cell> Column<T, V> {
    fn compare(self, operator: Operator, value: impl Into<V::Plain>) -> Filter<T> {
        self.test(Test::Compare(operator, value.into().into_value()))
    }

    /// Matches rows whose cell passes a test of the store.
    pub const fn test(self, test: Test) -> Filter<T> {
        Filter::new(Node::Test { column: self.name, test })
    }

    /// `column = value`
    pub fn eq(self, value: impl Into<V::Plain>) -> Filter<T> {
        self.compare(Operator::Equal, value)
    }

    /// `column <> value`; does not match null.
    pub fn ne(self, value: impl Into<V::Plain>) -> Filter<T> {
        self.compare(Operator::NotEqual, value)
    }

    /// `column < value`
    pub fn lt(self, value: impl Into<V::Plain>) -> Filter<T> {
        self.compare(Operator::Less, value)
    }

    /// `column <= value`
    pub fn le(self, value: impl Into<V::Plain>) -> Filter<T> {
        self.compare(Operator::LessOrEqual, value)
    }

    /// `column > value`
    pub fn gt(self, value: impl Into<V::Plain>) -> Filter<T> {
        self.compare(Operator::Greater, value)
    }

    /// `column >= value`
    pub fn ge(self, value: impl Into<V::Plain>) -> Filter<T> {
        self.compare(Operator::GreaterOrEqual, value)
    }

    /// Matches if the cell is one of the values; matches no rows if there are no values.
    pub fn one_of<I: Into<V::Plain>>(self, values: impl IntoIterator<Item = I>) -> Filter<T> {
        let values: Vec<Value> = values.into_iter().map(|value| value.into().into_value()).collect();
        self.test(Test::OneOf(values))
    }

    /// Matches if the cell equals the value, or is null for `None`.
    pub fn eq_or_null(self, value: Option<impl Into<V::Plain>>) -> Filter<T> {
        match value {
            Some(value) => self.eq(value),
            None => self.is_null(),
        }
    }

    pub const fn is_null(self) -> Filter<T> {
        self.test(Test::IsNull)
    }

    pub fn is_not_null(self) -> Filter<T> {
        self.test(Test::Not(Box::new(Test::IsNull)))
    }

    /// SQL `LIKE` pattern, case-insensitive.
    pub fn ilike(self, pattern: impl Into<String>) -> Filter<T> {
        self.test(Test::Compare(Operator::LikeAnyCase, Value::Text(pattern.into())))
    }

    /// Compares the cell with another one of the same row.
    pub const fn compare_column(self, operator: Operator, other: Self) -> Filter<T> {
        Filter::new(Node::Columns { left: self.name, operator, right: other.name })
    }

    /// Ascending; nulls last.
    pub const fn asc(self) -> Order<T> {
        self.order(Direction::Ascending { nulls_first: false })
    }

    /// Descending; nulls first.
    pub const fn desc(self) -> Order<T> {
        self.order(Direction::Descending { nulls_first: true })
    }

    /// Descending; nulls last.
    pub const fn desc_nulls_last(self) -> Order<T> {
        self.order(Direction::Descending { nulls_first: false })
    }

    pub const fn order(self, direction: Direction) -> Order<T> {
        Order { column: self.name, direction, marker: PhantomData }
    }
}

/// A sort order for rows of table `T`.
pub struct Order<T> {
    pub(crate) column: &'static str,
    pub(crate) direction: Direction,
    marker: PhantomData<fn() -> T>,
}

impl<T> Order<T> {
    pub(crate) fn resolve(&self, catalogue: &Catalogue, table: TableId) -> Result<query::Order, StoreError> {
        let by = OrderBy::Column(column(catalogue, table, self.column)?);
        Ok(query::Order { path: Vec::new(), by, direction: self.direction })
    }
}

pub(crate) fn column(catalogue: &Catalogue, table: TableId, name: &str) -> Result<ColumnId, StoreError> {
    let described = catalogue.table(table);
    let unknown = || StoreError::UnknownColumn { table: described.name.clone(), column: name.to_owned() };
    described.find_column(name).ok_or_else(unknown)
}

pub(crate) fn table(catalogue: &Catalogue, name: &str) -> Result<TableId, StoreError> {
    catalogue.find(name).ok_or_else(|| StoreError::UnknownTable(name.to_owned()))
}

impl Node {
    /// Resolves the names in the catalogue.
    pub(crate) fn resolve(&self, catalogue: &Catalogue, table: TableId) -> Result<query::Filter, StoreError> {
        let all = |nodes: &[Self]| -> Result<Vec<query::Filter>, StoreError> {
            nodes.iter().map(|node| node.resolve(catalogue, table)).collect()
        };
        let id = |name: &str| column(catalogue, table, name);
        Ok(match self {
            Self::And(nodes) => query::Filter::And(all(nodes)?),
            Self::Or(nodes) => query::Filter::Or(all(nodes)?),
            Self::Not(node) => query::Filter::Not(Box::new(node.resolve(catalogue, table)?)),
            Self::Test { column, test } => {
                query::Filter::Test { subject: Subject::Column(id(column)?), test: test.clone() }
            }
            Self::Columns { left, operator, right } => query::Filter::Columns {
                left: Key::Column(id(left)?),
                operator: *operator,
                right: Key::Column(id(right)?),
            },
            Self::Related { relationship, node } => {
                let described = catalogue.table(table);
                let unknown = || StoreError::UnknownColumn {
                    table: described.name.clone(),
                    column: (*relationship).to_owned(),
                };
                let relationship = described.find_relationship(relationship).ok_or_else(unknown)?;
                let target = described.relationship(relationship).target;
                query::Filter::Related { relationship, filter: Box::new(node.resolve(catalogue, target)?) }
            }
            Self::Resolved(filter) => filter.clone(),
        })
    }
}
