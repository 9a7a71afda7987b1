//! Columns of tables: their types, defaults and references.

use super::{ColumnId, TableId};

#[derive(Debug, Clone)]
pub struct Column {
    pub name: String,
    /// Empty when the name says it all.
    pub description: String,
    pub scalar: Scalar,
    pub nullable: bool,
    pub default: Option<Default>,
    /// Never read through the interface (keys, hashes); written only.
    pub secret: bool,
    /// Held as an exact decimal although the interface calls it `float8` (money). Always true for `numeric`.
    pub exact: bool,
    /// The table and column it refers to, and what happens to this row when that one goes.
    pub references: Option<Reference>,
    /// Where SQLite holds it, when that is with other columns whose values many rows share (`@shared`).
    pub shared: Option<SharedPlace>,
}

/// The place of a column among those that rows share as one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedPlace {
    /// The name of the group, one a `@shared` of the table.
    pub group: String,
    /// Place in the group, in the order the group names its columns.
    pub place: usize,
}

/// A second name of a column.
#[derive(Debug, Clone)]
pub struct Alias {
    /// The column under this name, as the interface describes it. Type, default and place are those of `stands_for`.
    pub column: Column,
    pub stands_for: ColumnId,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scalar {
    Uuid,
    String,
    Citext,
    Int,
    Bigint,
    Float8,
    Numeric,
    Boolean,
    /// Without zone, meaning UTC.
    Timestamp,
    Timestamptz,
    Date,
    Json,
    Jsonb,
    Bytea,
    /// `[String!]`
    StringList,
    /// A value of a lookup table, or of an enum the interface names without a table (`lookup: None`).
    Enum {
        name: String,
        lookup: Option<TableId>,
    },
}

impl Scalar {
    /// The name of the GraphQL type, without `!`.
    pub fn graphql_name(&self) -> &str {
        match self {
            Self::Uuid => "uuid",
            Self::String => "String",
            Self::Citext => "citext",
            Self::Int => "Int",
            Self::Bigint => "bigint",
            Self::Float8 => "float8",
            Self::Numeric => "numeric",
            Self::Boolean => "Boolean",
            Self::Timestamp => "timestamp",
            Self::Timestamptz => "timestamptz",
            Self::Date => "date",
            Self::Json => "json",
            Self::Jsonb => "jsonb",
            Self::Bytea => "bytea",
            Self::StringList => "[String!]",
            Self::Enum { name, .. } => name,
        }
    }

    /// Whether `sum` and `avg` apply.
    pub fn is_number(&self) -> bool {
        matches!(self, Self::Int | Self::Bigint | Self::Float8 | Self::Numeric)
    }

    /// Whether `min` and `max` apply (every type but JSON, Boolean, enums and lists).
    pub fn is_ordered(&self) -> bool {
        !matches!(self, Self::Json | Self::Jsonb | Self::Boolean | Self::StringList | Self::Enum { .. })
    }
}

/// What a column holds when a row does not say.
#[derive(Debug, Clone, PartialEq)]
pub enum Default {
    /// The time of the write, UTC.
    Now,
    /// A fresh random UUID.
    GeneratedUuid,
    Literal(crate::Value),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    pub table: TableId,
    pub column: ColumnId,
    pub on_delete: OnDelete,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnDelete {
    Restrict,
    Cascade,
    SetNull,
}
