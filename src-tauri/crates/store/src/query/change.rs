//! The intent of a write: the changes to make, before they are planned.
//!
//! Like [`crate::Query`], a [`Change`] refers to tables, columns and relationships by id. All changes of a request share one transaction.
//! The rows they return are read after the change (for deleted rows: before).

use crate::Code;
use crate::query::{Field, Filter};
use catalogue::{ColumnId, RelationshipId, TableId, Value};

/// One root field that writes; its result is returned under `name`.
#[derive(Debug, Clone)]
pub struct Change {
    pub name: String,
    /// The GraphQL name of the root field.
    pub field: String,
    pub kind: ChangeKind,
}

#[derive(Debug, Clone)]
pub enum ChangeKind {
    Insert {
        table: TableId,
        rows: Vec<NewRow>,
        conflict: Option<Conflict>,
        answer: Answer,
    },
    /// Several updates return a list of responses, in their order.
    Update {
        table: TableId,
        updates: Vec<Update>,
        answer: Answer,
    },
    Delete {
        table: TableId,
        filter: Filter,
        answer: Answer,
    },
    /// A constant text (`__typename`).
    Text(String),
    /// A write implemented in code.
    Code(Code),
}

/// A row to insert, with related rows to insert.
#[derive(Debug, Clone, Default)]
pub struct NewRow {
    pub cells: Vec<(ColumnId, Value)>,
    /// Rows of to-one relationships, inserted first; this row takes its joining columns from them.
    pub parents: Vec<(RelationshipId, NewRow, Option<Conflict>)>,
    /// Rows of to-many relationships, inserted afterwards; they take their joining columns from this row.
    pub children: Vec<(RelationshipId, Vec<NewRow>, Option<Conflict>)>,
}

/// What to do if a row with equal constraint columns exists.
#[derive(Debug, Clone)]
pub struct Conflict {
    pub columns: Vec<ColumnId>,
    /// The constraint applies only to rows in which this column is null.
    pub unless: Option<ColumnId>,
    /// Columns of the existing row to update; empty: the row is left unchanged.
    pub update: Vec<ColumnId>,
    /// Existing rows that do not match are left unchanged.
    pub filter: Option<Filter>,
}

#[derive(Debug, Clone)]
pub struct Update {
    pub filter: Filter,
    pub sets: Vec<ColumnChange>,
}

/// The change of one column.
#[derive(Debug, Clone)]
pub enum ColumnChange {
    To(ColumnId, Value),
    /// Adds the value to the existing one.
    Increment(ColumnId, Value),
    /// Appends JSON to the existing value; `Prepend` puts it before.
    Append(ColumnId, Value),
    Prepend(ColumnId, Value),
    /// Removes a key of an object, or all elements of an array that equal the text.
    DeleteKey(ColumnId, String),
    /// Removes an element of an array; negative indices count from the end.
    DeleteElement(ColumnId, i64),
    /// Removes the value at the end of a path of keys and indices.
    DeleteAtPath(ColumnId, Vec<String>),
}

impl ColumnChange {
    /// The column and its new value, if that does not depend on the existing row.
    pub(crate) fn cell(&self) -> Option<(ColumnId, Value)> {
        match self {
            Self::To(column, value) => Some((*column, value.clone())),
            _ => None,
        }
    }

    pub fn column(&self) -> ColumnId {
        match self {
            Self::To(column, _)
            | Self::Increment(column, _)
            | Self::Append(column, _)
            | Self::Prepend(column, _)
            | Self::DeleteKey(column, _)
            | Self::DeleteElement(column, _)
            | Self::DeleteAtPath(column, _) => *column,
        }
    }
}

/// A member of the objects in a JSON column and its new value: that of the first condition a row meets. If no condition is met, the member
/// is removed.
#[derive(Debug, Clone)]
pub struct Member {
    pub key: String,
    pub values: Vec<(Filter, MemberValue)>,
}

/// The new value of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberValue {
    Text(String),
    /// The text of another member of the same object.
    Member(String),
}

/// The result of a change.
#[derive(Debug, Clone)]
pub enum Answer {
    /// `T_mutation_response`.
    Response(Vec<ResponsePart>),
    /// A list of `T_mutation_response`, one per update.
    Responses(Vec<ResponsePart>),
    /// The row, or null if no row was changed.
    Row(Vec<Field>),
}

#[derive(Debug, Clone)]
pub enum ResponsePart {
    AffectedRows { name: String },
    Returning { name: String, fields: Vec<Field> },
    Text { name: String, text: String },
}
