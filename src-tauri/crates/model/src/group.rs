//! Sums and counts with one result per combination of keys: `rows.query::<Spend>().group((spends::unit.key(), spends::amount.sum())).rows()`.

use crate::cell::Cell;
use crate::filter::column;
use crate::select::Select;
use crate::table::{Column, Row};
use catalogue::{Catalogue, Decimal, TableId};
use serde_json::Value as Json;
use std::marker::PhantomData;
use store::query::{Direction, Function, Grouping, GroupingShape, Key, QueryKind, Term, TimeUnit};
use store::{Query, StoreError};

/// A result column of a grouping over table `T`, of type `V`.
pub struct GroupColumn<T, V> {
    kind: Kind,
    marker: PhantomData<fn() -> (T, V)>,
}

#[derive(Debug, Clone)]
enum Kind {
    Key(&'static str),
    Time(&'static str, TimeUnit),
    JsonKey(&'static str, String),
    Count,
    CountDistinct(&'static str),
    Of(Function, &'static str),
}

impl<T, V> Clone for GroupColumn<T, V> {
    fn clone(&self) -> Self {
        Self::new(self.kind.clone())
    }
}

impl<T, V> GroupColumn<T, V> {
    const fn new(kind: Kind) -> Self {
        Self { kind, marker: PhantomData }
    }
}

/// The number of rows.
pub const fn count<T>() -> GroupColumn<T, i64> {
    GroupColumn::new(Kind::Count)
}

impl<T, V: Cell> Column<T, V> {
    /// Groups by the column's value.
    pub const fn key(self) -> GroupColumn<T, V> {
        GroupColumn::new(Kind::Key(self.name))
    }

    /// Groups by unit of time, in UTC.
    pub const fn every(self, unit: TimeUnit) -> GroupColumn<T, V> {
        GroupColumn::new(Kind::Time(self.name, unit))
    }

    /// Groups by the text under a key of a JSON column.
    pub fn json_key(self, key: impl Into<String>) -> GroupColumn<T, Option<String>> {
        GroupColumn::new(Kind::JsonKey(self.name, key.into()))
    }

    /// The exact sum; null if there are no rows.
    pub const fn sum(self) -> GroupColumn<T, Option<Decimal>> {
        GroupColumn::new(Kind::Of(Function::Sum, self.name))
    }

    /// The number of distinct values.
    pub const fn count_distinct(self) -> GroupColumn<T, i64> {
        GroupColumn::new(Kind::CountDistinct(self.name))
    }

    /// The largest value; null if there are no rows.
    pub const fn max(self) -> GroupColumn<T, Option<V::Plain>> {
        GroupColumn::new(Kind::Of(Function::Max, self.name))
    }

    /// The smallest value; null if there are no rows.
    pub const fn min(self) -> GroupColumn<T, Option<V::Plain>> {
        GroupColumn::new(Kind::Of(Function::Min, self.name))
    }
}

/// The result columns of a grouping: a [`GroupColumn`], or a tuple of two to eight.
pub trait GroupColumns<T> {
    /// The result type of one group.
    type Group;

    #[doc(hidden)]
    fn kinds(&self) -> Vec<Field>;

    #[doc(hidden)]
    fn read(row: &[Json]) -> Option<Self::Group>;
}

/// A [`GroupColumn`] without its type parameters.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Field(Kind);

macro_rules! figures {
    ($($V:ident $place:tt),*) => {
        impl<T, $($V: Cell),*> GroupColumns<T> for ($(GroupColumn<T, $V>,)*) {
            type Group = ($($V,)*);

            fn kinds(&self) -> Vec<Field> {
                vec![$(Field(self.$place.kind.clone())),*]
            }

            fn read(row: &[Json]) -> Option<Self::Group> {
                Some(($($V::from_json(row.get($place)?)?,)*))
            }
        }
    };
}

figures!(A 0);
figures!(A 0, B 1);
figures!(A 0, B 1, C 2);
figures!(A 0, B 1, C 2, D 3);
figures!(A 0, B 1, C 2, D 3, E 4);
figures!(A 0, B 1, C 2, D 3, E 4, F 5);
figures!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
figures!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);

/// A grouping of the rows of a [`Select`].
pub struct Groups<'a, R: Row, F> {
    select: Select<'a, R>,
    figures: F,
    order: Vec<(Kind, Direction)>,
}

impl<'a, R: Row> Select<'a, R> {
    /// Groups the rows by the key figures; without keys all rows form one group. Limit and offset count groups.
    pub const fn group<F: GroupColumns<R::Table>>(self, figures: F) -> Groups<'a, R, F> {
        Groups { select: self, figures, order: Vec::new() }
    }

    /// The exact sum of a column; zero if there are no rows.
    pub fn sum<V: Cell>(self, column: Column<R::Table, V>) -> Result<Decimal, StoreError> {
        let groups = self.group((column.sum(),)).rows()?;
        Ok(groups.into_iter().next().and_then(|(sum,)| sum).unwrap_or(Decimal::ZERO))
    }
}

impl<R: Row, F: GroupColumns<R::Table>> Groups<'_, R, F> {
    /// Orders by a figure, ascending.
    #[must_use]
    pub fn asc<V>(self, figure: GroupColumn<R::Table, V>) -> Self {
        self.order(figure, Direction::Ascending { nulls_first: false })
    }

    /// Orders by a figure, descending.
    #[must_use]
    pub fn desc<V>(self, figure: GroupColumn<R::Table, V>) -> Self {
        self.order(figure, Direction::Descending { nulls_first: true })
    }

    fn order<V>(mut self, figure: GroupColumn<R::Table, V>, direction: Direction) -> Self {
        self.order.push((figure.kind, direction));
        self
    }

    /// Runs the query and returns the groups.
    pub fn rows(&self) -> Result<Vec<F::Group>, StoreError> {
        let (rows, table) = (self.select.rows, self.select.table()?);
        let catalogue = rows.catalogue();
        let kinds = self.figures.kinds();
        let terms = kinds
            .iter()
            .enumerate()
            .map(|(place, field)| Ok((place.to_string(), field.0.term(catalogue, table)?)))
            .collect::<Result<Vec<_>, StoreError>>()?;
        let keys = terms.iter().filter_map(|(_, term)| match term {
            Term::Key(key) => Some(key.clone()),
            _ => None,
        });
        let order = self.order.iter().map(|(kind, direction)| Ok((kind.term(catalogue, table)?, *direction)));
        let grouping = Grouping {
            table,
            keys: keys.collect(),
            filter: Some(self.select.resolved_filter(table)?),
            order: order.collect::<Result<_, StoreError>>()?,
            limit: self.select.limit.unwrap_or(u64::from(u32::MAX)),
            offset: self.select.offset.unwrap_or_default(),
            shape: GroupingShape::List,
            terms,
        };
        let answer = rows.read(&Query { name: "groups".to_owned(), kind: QueryKind::Grouped(grouping) })?;
        let Json::Array(groups) = answer else { return Ok(Vec::new()) };
        groups.iter().map(|group| Self::read(group, kinds.len())).collect()
    }

    fn read(group: &Json, width: usize) -> Result<F::Group, StoreError> {
        let cells: Vec<Json> = (0..width).map(|place| group[place.to_string()].clone()).collect();
        F::read(&cells).ok_or_else(|| StoreError::WrongValue {
            table: <R::Table as crate::Table>::NAME.to_owned(),
            column: "(group)".to_owned(),
            expected: "what the columns hold".to_owned(),
            found: group.to_string(),
        })
    }
}

impl Kind {
    fn term(&self, catalogue: &Catalogue, table: TableId) -> Result<Term, StoreError> {
        let id = |name: &str| column(catalogue, table, name);
        Ok(match self {
            Self::Key(name) => Term::Key(Key::Column(id(name)?)),
            Self::Time(name, unit) => Term::Key(Key::Time(id(name)?, *unit)),
            Self::JsonKey(name, key) => Term::Key(Key::JsonKey(id(name)?, key.clone())),
            Self::Count => Term::Count,
            Self::CountDistinct(name) => Term::CountDistinct(vec![Key::Column(id(name)?)]),
            Self::Of(Function::Sum, name) => Term::Sum(id(name)?),
            Self::Of(function, name) => Term::Of(*function, id(name)?),
        })
    }
}
