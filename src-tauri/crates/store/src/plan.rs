//! The decided form of a [`Query`](crate::Query): statements, and how their rows become JSON.

use crate::Code;
use crate::query::GroupingShape;
use catalogue::Value;

/// How the queries of one request are answered; made by [`crate::Store::plan`], good for as long as the store is open.
#[derive(Debug, Default)]
pub struct Plans(pub(crate) Vec<Plan>);

/// One root field, decided.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) name: String,
    pub(crate) body: Body,
}

#[derive(Debug)]
pub(crate) enum Body {
    Data(Data),
    Code(Code),
}

/// What statements answer.
#[derive(Debug)]
pub(crate) enum Data {
    Rows(Rows),
    First(Rows),
    Aggregate(Vec<(String, AggregateBody)>),
    Grouped {
        rows: Rows,
        shape: GroupingShape,
    },
    /// Finished JSON.
    Json(String),
}

#[derive(Debug)]
pub(crate) enum AggregateBody {
    /// One row.
    Figures(Rows),
    Nodes(Rows),
    Json(String),
}

/// One statement and the shape of an object made of each row.
#[derive(Debug)]
pub(crate) struct Rows {
    pub statement: Statement,
    pub shape: Shape,
}

/// SQL text. Parameter 1 is the caller's tenant; the next ones are cells of the parent's row, when the rows are nested; the
/// rest are `values`.
#[derive(Debug)]
pub(crate) struct Statement {
    pub sql: String,
    pub values: Vec<Value>,
    /// Values that depend on when the statement runs: place in `values`, microseconds after that moment.
    pub moments: Vec<(usize, i64)>,
}

/// Keys and what stands under them, in order.
#[derive(Debug)]
pub(crate) struct Shape(pub Vec<(String, Node)>);

#[derive(Debug)]
pub(crate) enum Node {
    Cell {
        index: usize,
        print: Print,
    },
    Json(String),
    /// An object of cells of the same row; null when the cell at `present` is.
    Object {
        present: Option<usize>,
        shape: Shape,
    },
    /// A list of related rows; `keys` are the cells of this row that bind them.
    Many {
        keys: Vec<usize>,
        rows: Box<Rows>,
    },
    Aggregate {
        keys: Vec<usize>,
        parts: Vec<(String, AggregateBody)>,
    },
}

/// How a cell is written as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Print {
    Uuid,
    Text,
    Bytes,
    Integer,
    Float,
    /// Decimal text, written as a number.
    Decimal,
    Boolean,
    Timestamp,
    Timestamptz,
    /// A time as RFC 3339 has it, with `Z`.
    Instant,
    Date,
    /// JSON text, put in as it is.
    Json,
}
