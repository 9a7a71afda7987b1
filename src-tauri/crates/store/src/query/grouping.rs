//! Intent of listings: values of rows, brought together by keys or row by row, with figures.

use super::{Direction, Filter, Function};
use catalogue::{ColumnId, RelationshipId, TableId};

/// Rows of one table: one for each combination of `keys`, or, where there are neither keys nor figures, as they are.
#[derive(Debug, Clone)]
pub struct Grouping {
    pub table: TableId,
    /// Fields of a row of the answer, in order.
    pub terms: Vec<(String, Term)>,
    /// What makes a group; none beside figures means one group of everything.
    pub keys: Vec<Key>,
    pub filter: Option<Filter>,
    pub order: Vec<(Term, Direction)>,
    pub limit: u64,
    pub offset: u64,
    pub shape: GroupingShape,
}

/// Where the rows stand in the answer.
#[derive(Debug, Clone)]
pub enum GroupingShape {
    /// In an object: names of the list (`rows`), by alias; several when it is asked for more than once. `texts` are the
    /// `__typename` fields beside it: alias and text.
    Object { lists: Vec<String>, texts: Vec<(String, String)> },
    /// The field is the list itself.
    List,
}

/// A value of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    Column(ColumnId),
    /// A time, cut to the start of its unit, in UTC.
    Time(ColumnId, TimeUnit),
    /// The text under a key of a JSON column; null where the key is absent.
    JsonKey(ColumnId, String),
    /// The text at a place of a JSON column (`$.a[0]`); null where there is none.
    JsonPath(ColumnId, String),
    /// A column of the row that one-relationships lead to; null where there is none.
    Related(Vec<RelationshipId>, ColumnId),
    /// The first that is not null.
    First(Vec<Key>),
    /// Texts beside each other, with something between them; null where one of them is.
    Joined(Vec<ColumnId>, String),
    /// Whether a time lies less than so many microseconds before the answer.
    Recent(ColumnId, i64),
}

/// A field of a row, or what rows are ordered by.
#[derive(Debug, Clone)]
pub enum Term {
    Key(Key),
    Count,
    /// Different combinations; a single key counts where it is not null.
    CountDistinct(Vec<Key>),
    Sum(ColumnId),
    /// Another figure.
    Of(Function, ColumnId),
    /// The value of the row in which `by` is greatest; of equals, the one whose key is.
    Latest {
        of: ColumnId,
        by: ColumnId,
    },
    /// Every different value once, as a JSON list in their order.
    Values(ColumnId),
    /// A figure over the rows that meet the filter.
    Only(Box<Term>, Filter),
    /// The largest of a group, for ordering by something that is no key.
    Max(Key),
    /// The same, written as a text.
    AsText(Box<Term>),
    /// A field asked for but not fetched.
    Null,
    Text(String),
}

impl Term {
    /// Whether it takes all rows of a group to tell.
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
    /// Begins on Monday (ISO 8601).
    Week,
    Month,
    Quarter,
    Year,
}

impl TimeUnit {
    pub const ALL: [Self; 7] =
        [Self::Minute, Self::Hour, Self::Day, Self::Week, Self::Month, Self::Quarter, Self::Year];

    /// The unit of that name, in whatever case.
    pub fn find(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        Self::ALL.into_iter().find(|unit| unit.name() == name)
    }

    /// The name requests and SQL functions know it by.
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
