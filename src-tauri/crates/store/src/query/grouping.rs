//! The intent of a listing: values of rows, grouped by keys or row by row, with aggregates.

use super::{Direction, Filter, Function};
use catalogue::{ColumnId, RelationshipId, TableId};

/// Rows of one table: one per combination of `keys`, or, without keys and aggregates, the rows themselves.
#[derive(Debug, Clone)]
pub struct Grouping {
    pub table: TableId,
    /// Fields of a result row, in order.
    pub terms: Vec<(String, Term)>,
    /// The group keys. Without keys, aggregates form one group of all rows.
    pub keys: Vec<Key>,
    pub filter: Option<Filter>,
    pub order: Vec<(Term, Direction)>,
    pub limit: u64,
    pub offset: u64,
    pub shape: GroupingShape,
}

/// Where the rows are in the response.
#[derive(Debug, Clone)]
pub enum GroupingShape {
    /// In an object: `lists` are the aliases of the list field (`rows`), several if it is selected more than once. `texts` are the
    /// `__typename` fields beside it: alias and text.
    Object { lists: Vec<String>, texts: Vec<(String, String)> },
    /// The field itself is the list.
    List,
}

/// A value derived from a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    Column(ColumnId),
    /// A time, truncated to the start of its unit, in UTC.
    Time(ColumnId, TimeUnit),
    /// The text under a key of a JSON column; null if the key is absent.
    JsonKey(ColumnId, String),
    /// The text at a path of a JSON column (`$.a[0]`); null if there is none.
    JsonPath(ColumnId, String),
    /// A column of the row reached through one-relationships; null if there is no such row.
    Related(Vec<RelationshipId>, ColumnId),
    /// The first value that is not null.
    First(Vec<Key>),
    /// Texts joined with a separator; null if one of them is null.
    Joined(Vec<ColumnId>, String),
    /// Whether a time is less than this many microseconds before the time of the request.
    Recent(ColumnId, i64),
}

/// A field of a result row, or a sort key.
#[derive(Debug, Clone)]
pub enum Term {
    Key(Key),
    Count,
    /// The number of distinct combinations; a single key counts only where it is not null.
    CountDistinct(Vec<Key>),
    Sum(ColumnId),
    /// Another aggregate function.
    Of(Function, ColumnId),
    /// The value of `value` in the row with the greatest `order_by`; among equals, the row with the greatest key.
    Latest {
        value: ColumnId,
        order_by: ColumnId,
    },
    /// The distinct values as a sorted JSON list.
    Values(ColumnId),
    /// An aggregate over the rows that match the filter.
    Only(Box<Term>, Filter),
    /// The largest value of a group, for sorting by a value that is not a key.
    Max(Key),
    /// A term, written as text.
    AsText(Box<Term>),
    /// A field that is selected but not read.
    Null,
    Text(String),
}

impl Term {
    /// Whether it is an aggregate over all rows of a group.
    pub fn is_figure(&self) -> bool {
        match self {
            Self::Key(_) | Self::Null | Self::Text(_) => false,
            Self::AsText(term) => term.is_figure(),
            _ => true,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeUnit {
    Minute,
    Hour,
    Day,
    /// Starts on Monday (ISO 8601).
    Week,
    Month,
    Quarter,
    Year,
}

impl TimeUnit {
    pub const ALL: [Self; 7] =
        [Self::Minute, Self::Hour, Self::Day, Self::Week, Self::Month, Self::Quarter, Self::Year];

    /// Finds a unit by name, case-insensitively.
    pub fn find(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        Self::ALL.into_iter().find(|unit| unit.name() == name)
    }

    /// The name in requests and SQL functions.
    pub fn name(self) -> &'static str {
        match self {
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
        }
    }
}
