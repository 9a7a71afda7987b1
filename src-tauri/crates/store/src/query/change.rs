//! Intent to write: what is to be changed, before it is decided how.
//!
//! A [`Change`] names tables, columns and relationships by id, as a [`crate::Query`] does. All changes of a request share
//! one transaction; what they answer is read after the change (of rows removed: before).

use crate::Code;
use crate::query::{Field, Filter};
use catalogue::{ColumnId, RelationshipId, TableId, Value};

/// One root field that writes, answering under `name`.
#[derive(Debug, Clone)]
pub struct Change {
    pub name: String,
    /// The root field, as the interface names it.
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
    /// Several updates answer with a list of responses, in their order.
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
    /// What code writes and answers.
    Code(Code),
}

/// A row to add, with the rows it brings along.
#[derive(Debug, Clone, Default)]
pub struct NewRow {
    pub cells: Vec<(ColumnId, Value)>,
    /// Rows of to-one relationships, added first; this row takes its joining columns from them.
    pub parents: Vec<(RelationshipId, NewRow, Option<Conflict>)>,
    /// Rows of to-many relationships, added after; they take their joining columns from this row.
    pub children: Vec<(RelationshipId, Vec<NewRow>, Option<Conflict>)>,
}

/// What happens when a row with the same constrained columns exists.
#[derive(Debug, Clone)]
pub struct Conflict {
    pub columns: Vec<ColumnId>,
    /// The constraint binds rows in which this column is null only.
    pub unless: Option<ColumnId>,
    /// Columns of the existing row that take the new values; none leaves the row as it is.
    pub update: Vec<ColumnId>,
    /// Existing rows that do not meet it are left as they are.
    pub filter: Option<Filter>,
}

#[derive(Debug, Clone)]
pub struct Update {
    pub filter: Filter,
    pub sets: Vec<ColumnChange>,
}

/// One column's change.
#[derive(Debug, Clone)]
pub enum ColumnChange {
    To(ColumnId, Value),
    /// The sum of what is there and the value.
    Increment(ColumnId, Value),
    /// JSON put behind (or, with `Prepend`, before) what is there.
    Append(ColumnId, Value),
    Prepend(ColumnId, Value),
    /// Removes a key of an object, or every such text of an array.
    DeleteKey(ColumnId, String),
    /// Removes a member of an array; negative places count from its end.
    DeleteElement(ColumnId, i64),
    /// Removes what stands at the end of a path of keys and places.
    DeleteAtPath(ColumnId, Vec<String>),
}

impl ColumnChange {
    /// The column and the value it gets, where that does not depend on the row.
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

/// A member of the objects in a JSON column, and what becomes of it: the value of the first condition that a row meets; where it meets none, there is no
/// such member.
#[derive(Debug, Clone)]
pub struct Member {
    pub key: String,
    pub values: Vec<(Filter, MemberValue)>,
}

/// What a member is set to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberValue {
    Text(String),
    /// The text of another member of the same object.
    Member(String),
}

/// What a change answers with.
#[derive(Debug, Clone)]
pub enum Answer {
    /// `T_mutation_response`.
    Response(Vec<ResponsePart>),
    /// A list of them, one an update.
    Responses(Vec<ResponsePart>),
    /// The row, or null when none was touched.
    Row(Vec<Field>),
}

#[derive(Debug, Clone)]
pub enum ResponsePart {
    AffectedRows { name: String },
    Returning { name: String, fields: Vec<Field> },
    Text { name: String, text: String },
}
