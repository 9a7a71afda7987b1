//! Listings: root fields whose rows have logical columns, which a request picks, filters and groups by.

use crate::{ColumnId, RelationshipId, TableId, Value};

/// A listing over one table (`spend_groupings_v2`, `events_v2`).
#[derive(Debug, Clone)]
pub struct Listing {
    /// The root field.
    pub name: String,
    pub description: String,
    /// Like [`crate::Table::area`].
    pub area: String,
    pub table: TableId,
    pub kind: ListingKind,
    /// Its arguments and their types as they are written: `columns`, `where`, … and never others than those.
    pub arguments: Vec<(String, String)>,
    /// Names of the types of the interface. The response is an object with the list `rows`; without one the field is the
    /// list itself.
    pub response_type: Option<String>,
    pub row_type: String,
    /// The type of `where`, when it has that argument.
    pub where_type: Option<String>,
    pub columns: Vec<ListingColumn>,
    /// What every row of the table must meet to be listed.
    pub only: Vec<ListingCondition>,
    /// Rows that no requested figure counts make no group.
    pub counted: bool,
}

impl Listing {
    pub fn find_column(&self, name: &str) -> Option<&ListingColumn> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Whether it takes the argument.
    pub fn takes(&self, argument: &str) -> bool {
        self.arguments.iter().any(|(name, _)| name == argument)
    }
}

/// Whether rows are listed as they are, or brought together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListingKind {
    /// Row by row; only figures or a `group_by` bring rows together.
    Normal,
    /// One row for each combination of the columns asked for.
    Aggregate,
}

#[derive(Debug, Clone)]
pub struct ListingColumn {
    pub name: String,
    pub description: String,
    /// Decides which operators apply.
    pub logical: LogicalType,
    /// Type of the field in the row type as it is written (`String`, `Int!`); `None`: `where` alone knows the column.
    pub row_type: Option<String>,
    /// What `where` compares it with; `None`: it does not.
    pub request: Option<RequestType>,
    pub source: ListingSource,
}

/// What a logical column holds, whatever type the row gives it.
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
    /// The word for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::String => "text",
            Self::Integer => "whole-number",
            Self::Float => "number",
            Self::Boolean => "Boolean",
            Self::Datetime => "time",
            Self::Json => "JSON",
        }
    }

    /// The request type a column of this type is filtered with unless it says otherwise.
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
    /// Ours: values are JSON, not texts of JSON.
    Json,
}

impl RequestType {
    pub const ALL: [Self; 6] =
        [Self::String, Self::Int, Self::Float, Self::Boolean, Self::Datetime, Self::Json];

    /// The type of its values in the interface.
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

    /// The name of the request object.
    pub fn name(self) -> String {
        let word = if self == Self::Json { "Json" } else { self.scalar() };
        format!("QueryWhere{word}Request")
    }

    /// The name of the object of its `_between`.
    pub fn between(self) -> String {
        format!("QueryWhere{}BetweenRequest", self.scalar())
    }
}

/// Where a logical column comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListingSource {
    Value(ListingValue),
    Figure(ListingFigure),
}

/// One value of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListingValue {
    Column(ColumnId),
    /// A column of the row that one-relationships lead to; null where there is none.
    Related(Vec<RelationshipId>, ColumnId),
    /// The text at a place of a JSON column (`$.a[0]`).
    JsonPath(ColumnId, String),
    /// The text under a key of a JSON column; the request names the key (a tag).
    JsonKey(ColumnId),
    /// The first that is not null.
    First(Vec<ListingValue>),
    /// Texts beside each other, with something between them (`namespace/name`); null where one of them is.
    Joined(Vec<ColumnId>, String),
    /// Whether a time lies less than so many days before the answer.
    Recent(ColumnId, u32),
}

/// A figure over the rows of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingFigure {
    pub measure: ListingMeasure,
    /// Only these rows count.
    pub only: Vec<ListingCondition>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListingMeasure {
    Count,
    CountDistinct(ColumnId),
    Sum(ColumnId),
    Avg(ColumnId),
    Min(ColumnId),
    Max(ColumnId),
    /// The value of the row in which `by` is greatest.
    Latest {
        of: ColumnId,
        by: ColumnId,
    },
    /// Every different value once, as a JSON list in their order.
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
    /// A time less than so many days before the answer.
    Newer(u32),
    /// A time so many days or more before the answer.
    Older(u32),
}
