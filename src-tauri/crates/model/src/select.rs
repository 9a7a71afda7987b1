//! Typed reads: `rows.query::<Person>().filter(…).order(…).limit(50).rows()`.

use crate::cell::{Cell, Cells};
use crate::filter::{Filter, Node, Order, column, table};
use crate::table::{PrimaryKey, Row, Table};
use catalogue::TableId;
use std::marker::PhantomData;
use store::query::{self, AggregatePart, AggregateSelect, Figure, FigureKind, QueryKind, Range};
use store::{Query, StoreError, Transaction};

/// Typed reads of a transaction or snapshot. As with every read, only rows visible to the caller are returned.
pub trait Read {
    /// Starts a query on the rows of one table.
    fn query<R: Row>(&self) -> Select<'_, R>;

    /// The row with this primary key.
    fn find<R: Row<Table: PrimaryKey>>(
        &self,
        key: impl Into<<R::Table as PrimaryKey>::Key>,
    ) -> Result<Option<R>, StoreError>
    where
        <R::Table as PrimaryKey>::Key: Cell<Plain = <R::Table as PrimaryKey>::Key>;
}

impl Read for Transaction<'_> {
    fn query<R: Row>(&self) -> Select<'_, R> {
        Select {
            rows: self,
            filter: Vec::new(),
            order: Vec::new(),
            limit: None,
            offset: None,
            marker: PhantomData,
        }
    }

    fn find<R: Row<Table: PrimaryKey>>(
        &self,
        key: impl Into<<R::Table as PrimaryKey>::Key>,
    ) -> Result<Option<R>, StoreError>
    where
        <R::Table as PrimaryKey>::Key: Cell<Plain = <R::Table as PrimaryKey>::Key>,
    {
        self.query::<R>().filter(R::Table::KEY.eq(key)).first()
    }
}

/// Some rows, and the number of rows without limit and offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<R> {
    pub rows: Vec<R>,
    pub total: u64,
}

/// A query: the rows of a table to read, and their columns.
pub struct Select<'a, R: Row> {
    pub(crate) rows: &'a Transaction<'a>,
    filter: Vec<Node>,
    order: Vec<Order<R::Table>>,
    pub(crate) limit: Option<u64>,
    pub(crate) offset: Option<u64>,
    marker: PhantomData<fn() -> R>,
}

impl<R: Row> Select<'_, R> {
    /// Adds a condition; all conditions must hold.
    #[must_use]
    pub fn filter(mut self, filter: Filter<R::Table>) -> Self {
        self.filter.push(filter.node);
        self
    }

    /// Adds a condition if there is one.
    #[must_use]
    pub fn filter_some(self, filter: Option<Filter<R::Table>>) -> Self {
        match filter {
            Some(filter) => self.filter(filter),
            None => self,
        }
    }

    /// Adds a sort order after the existing ones. Without any, the order is unspecified.
    #[must_use]
    pub fn order(mut self, order: Order<R::Table>) -> Self {
        self.order.push(order);
        self
    }

    /// The maximum number of rows.
    #[must_use]
    pub const fn limit(mut self, limit: u64) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Skips this many rows.
    #[must_use]
    pub const fn offset(mut self, offset: u64) -> Self {
        self.offset = Some(offset);
        self
    }

    /// Runs the query and returns the rows.
    pub fn rows(&self) -> Result<Vec<R>, StoreError> {
        let mut rows = Vec::new();
        self.for_each(|row| {
            rows.push(row);
            Ok::<(), StoreError>(())
        })?;
        Ok(rows)
    }

    /// The first row, if any.
    pub fn first(mut self) -> Result<Option<R>, StoreError> {
        self.limit = Some(1);
        Ok(self.rows()?.into_iter().next())
    }

    /// The rows, and their number without limit and offset.
    pub fn page(&self) -> Result<Page<R>, StoreError> {
        Ok(Page { rows: self.rows()?, total: self.count()? })
    }

    /// Passes the rows to `take` one by one, without holding all of them in memory.
    pub fn for_each<E: From<StoreError>>(&self, mut take: impl FnMut(R) -> Result<(), E>) -> Result<(), E> {
        let catalogue = self.rows.catalogue();
        let table = self.table()?;
        let columns =
            R::COLUMNS.iter().map(|name| column(catalogue, table, name)).collect::<Result<Vec<_>, _>>()?;
        let order =
            self.order.iter().map(|order| order.resolve(catalogue, table)).collect::<Result<_, _>>()?;
        let range = Range {
            filter: Some(self.resolved_filter(table)?),
            order,
            limit: self.limit.map(query::Rows::Known),
            offset: self.offset.map(query::Rows::Known),
            ..Range::default()
        };
        self.rows.fetch(table, &columns, &range, |values| {
            take(R::read(&mut Cells::new(R::Table::NAME, R::COLUMNS, values))?)
        })
    }

    /// The number of rows without limit and offset.
    pub fn count(&self) -> Result<u64, StoreError> {
        let table = self.table()?;
        let kind = FigureKind::Count { columns: Vec::new(), distinct: false };
        let figures = vec![Figure { name: "count".to_owned(), kind }];
        let parts = vec![AggregatePart::Figures { name: "figures".to_owned(), figures }];
        let range = Range { filter: Some(self.resolved_filter(table)?), ..Range::default() };
        let kind = QueryKind::Aggregate(AggregateSelect { table, parts, range });
        let answer = self.rows.read(&Query { name: "rows".to_owned(), kind })?;
        Ok(answer["figures"]["count"].as_u64().unwrap_or_default())
    }

    /// Whether any row matches.
    pub fn exists(mut self) -> Result<bool, StoreError> {
        self.limit = Some(1);
        Ok(!self.rows()?.is_empty())
    }

    pub(crate) fn table(&self) -> Result<TableId, StoreError> {
        table(self.rows.catalogue(), R::Table::NAME)
    }

    pub(crate) fn resolved_filter(&self, table: TableId) -> Result<query::Filter, StoreError> {
        let catalogue = self.rows.catalogue();
        let filters = self.filter.iter().map(|node| node.resolve(catalogue, table));
        Ok(query::Filter::And(filters.collect::<Result<_, _>>()?))
    }
}
