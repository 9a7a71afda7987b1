//! Listings: root fields whose rows have logical columns, which a request selects, filters and groups by.

use crate::{ColumnId, RelationshipId, TableId, Value};

/// A listing over one table (`spend_groupings_v2`, `events_v2`).
#[derive(Debug, Clone)]
pub struct Listing {
    /// Name of the root field.
    pub name: String,
    pub description: String,
    /// The area, see [`crate::Table::area`].
    pub area: String,
    pub table: TableId,
    pub kind: ListingKind,
    /// The arguments and their types as written in `schema/`: `columns`, `where`, … Only these are accepted.
    pub arguments: Vec<(String, String)>,
    /// GraphQL name of the response type, an object with the list `rows`; `None`: the field itself is the list.
    pub response_type: Option<String>,
    pub row_type: String,
    /// The type of the `where` argument, if the listing has one.
    pub where_type: Option<String>,
    pub columns: Vec<ListingColumn>,
    /// Conditions a row of the table must meet to be listed.
    pub conditions: Vec<ListingCondition>,
    /// Whether groups are omitted in which no requested figure counts a row.
    pub hides_empty_groups: bool,
}

impl Listing {
    pub fn find_column(&self, name: &str) -> Option<&ListingColumn> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Whether the listing accepts the argument.
    pub fn takes(&self, argument: &str) -> bool {
        self.arguments.iter().any(|(name, _)| name == argument)
    }
}

/// Whether rows are listed individually or grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListingKind {
    /// Row by row. Rows are grouped only if the request selects figures or has a `group_by`.
    Normal,
    /// One row for each combination of the requested columns.
    Aggregate,
}

#[derive(Debug, Clone)]
pub struct ListingColumn {
    pub name: String,
    pub description: String,
    /// Determines which filter operators apply.
    pub logical: LogicalType,
    /// Type of the field in the row type as written (`String`, `Int!`); `None`: the column can only be used in `where`.
    pub row_type: Option<String>,
    /// Type of the values `where` compares the column with; `None`: the column cannot be filtered.
    pub request: Option<RequestType>,
    pub source: ListingSource,
}

/// The type of a logical column's values, independent of the field type in the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogicalType {
    String,
    Integer,
    Float,
    Boolean,
    Datetime,
    Json,
}

impl LogicalType {
    /// The name of the type in messages.
    pub fn label(self) -> &'static str {
        match self {
            Self::String => "text",
            Self::Integer => "whole-number",
            Self::Float => "number",
            Self::Boolean => "Boolean",
            Self::Datetime => "time",
            Self::Json => "JSON",
        }
    }

    /// The default request type for filters on a column of this type.
    pub fn request(self) -> RequestType {
        match self {
            Self::String => RequestType::String,
            Self::Integer => RequestType::Int,
            Self::Float => RequestType::Float,
            Self::Boolean => RequestType::Boolean,
            Self::Datetime => RequestType::Datetime,
            Self::Json => RequestType::Json,
        }
    }
}

/// The request objects of `where`: `QueryWhere<…>Request`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequestType {
    String,
    Int,
    Float,
    Boolean,
    Datetime,
    /// Our addition: values are JSON, not texts that contain JSON.
    Json,
}

impl RequestType {
    pub const ALL: [Self; 6] =
        [Self::String, Self::Int, Self::Float, Self::Boolean, Self::Datetime, Self::Json];

    /// The GraphQL type of its values.
    pub fn scalar(self) -> &'static str {
        match self {
            Self::String => "String",
            Self::Int => "Int",
            Self::Float => "Float",
            Self::Boolean => "Boolean",
            Self::Datetime => "Datetime",
            Self::Json => "jsonb",
        }
    }

    pub fn find(scalar: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.scalar() == scalar)
    }

    /// The name of the GraphQL request object.
    pub fn name(self) -> String {
        let word = if self == Self::Json { "Json" } else { self.scalar() };
        format!("QueryWhere{word}Request")
    }

    /// The name of the GraphQL object for its `_between` operator.
    pub fn between(self) -> String {
        format!("QueryWhere{}BetweenRequest", self.scalar())
    }
}

/// The source of a logical column's values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListingSource {
    Value(ListingValue),
    Figure(ListingFigure),
}

/// One value derived from a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListingValue {
    Column(ColumnId),
    /// A column of the row reached through one-relationships; null if there is no such row.
    Related(Vec<RelationshipId>, ColumnId),
    /// The text at a path of a JSON column (`$.a[0]`).
    JsonPath(ColumnId, String),
    /// The text under a key of a JSON column; the request supplies the key (a tag).
    JsonKey(ColumnId),
    /// The first value that is not null.
    First(Vec<ListingValue>),
    /// Texts joined with a separator (`namespace/name`); null if one of them is null.
    Joined(Vec<ColumnId>, String),
    /// Whether a time is less than this many days before the time of the request.
    Recent(ColumnId, u32),
}

/// An aggregate over the rows of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingFigure {
    pub measure: ListingMeasure,
    /// Only rows that meet these conditions are counted.
    pub conditions: Vec<ListingCondition>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListingMeasure {
    Count,
    CountDistinct(ColumnId),
    Sum(ColumnId),
    Avg(ColumnId),
    Min(ColumnId),
    Max(ColumnId),
    /// The value of `value` in the row with the greatest `order_by`.
    Latest {
        value: ColumnId,
        order_by: ColumnId,
    },
    /// The distinct values as a sorted JSON list.
    Values(ColumnId),
}

/// A condition written in the catalogue.
#[derive(Debug, Clone, PartialEq)]
pub struct ListingCondition {
    pub column: ColumnId,
    pub test: ListingTest,
}

impl Eq for ListingCondition {}

#[derive(Debug, Clone, PartialEq)]
pub enum ListingTest {
    OneOf(Vec<Value>),
    NoneOf(Vec<Value>),
    /// Times less than this many days before the time of the request.
    Newer(u32),
    /// Times this many days or more before the time of the request.
    Older(u32),
}
