//! Columns of tables: their types, defaults and references.

use super::{ColumnId, TableId};

#[derive(Debug, Clone)]
pub struct Column {
    pub name: String,
    /// Empty if the name is self-explanatory.
    pub description: String,
    pub scalar: Scalar,
    pub nullable: bool,
    pub default: Option<Default>,
    /// Never readable through the interface (keys, hashes); write-only.
    pub secret: bool,
    /// Stored as an exact decimal although the interface types it as `float8` (money). Always true for `numeric`.
    pub exact: bool,
    /// The referenced table and column, and what happens to this row when the referenced row is deleted.
    pub references: Option<Reference>,
    /// For a column that SQLite stores in a shared group: its position (`@shared`).
    pub shared: Option<SharedPosition>,
}

/// The position of a column in a group of columns whose values are stored once and shared by many rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedPosition {
    /// The name of the group, given in a `@shared` directive of the table.
    pub group: String,
    /// Index in the group, in the order in which `@shared` lists the columns.
    pub index: usize,
}

/// A second name of a column.
#[derive(Debug, Clone)]
pub struct Alias {
    /// The column under the second name, as the interface describes it. Type, default and position are those of `stands_for`.
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
    /// Without a zone; means UTC.
    Timestamp,
    Timestamptz,
    Date,
    Json,
    Jsonb,
    Bytea,
    /// `[String!]`
    StringList,
    /// A value of a lookup table, or of an enum without a table (`lookup: None`).
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

/// The value of a column that an insert does not set.
#[derive(Debug, Clone, PartialEq)]
pub enum Default {
    /// The time of the write, UTC.
    Now,
    /// A new random UUID.
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
