//! The plan of a [`Query`](crate::Query): SQL statements, and how their rows become JSON.

use crate::Code;
use crate::cost::CostEstimate;
use crate::query::GroupingShape;
use crate::scope::ReadScope;
use crate::statement::{ParameterValue, Print, Statement};

/// Up to this number of single-row reads are considered negligible.
const MAX_POINT_READS: usize = 4;

/// The plans of all queries of a request, made by [`crate::Store::plan`]. Valid as long as the store is open.
#[derive(Debug, Default)]
pub struct Plans {
    pub(crate) plans: Vec<Plan>,
    pub(crate) cost: CostEstimate,
}

impl Plans {
    /// Approximate memory use in bytes.
    pub fn weight(&self) -> usize {
        let plans: usize = self.plans.iter().map(|plan| plan.name.len() + plan.body.weight()).sum();
        plans + self.cost.weight()
    }

    /// Whether the plans only read a few single rows by key.
    pub fn is_point_read(&self) -> bool {
        self.plans.len() <= MAX_POINT_READS && self.plans.iter().all(|plan| plan.is_point_read)
    }

    fn is_one_statement(&self) -> bool {
        let [plan] = &self.plans[..] else { return false };
        match &plan.body {
            Body::Data(Data::Rows(rows) | Data::First(rows) | Data::Grouped { rows, .. }) => rows.nested == 0,
            Body::Data(Data::Aggregate(parts)) => match &parts[..] {
                [(_, AggregateBody::Figures(rows, _) | AggregateBody::Nodes(rows))] => rows.nested == 0,
                [(_, AggregateBody::Json(_))] => true,
                _ => false,
            },
            Body::Data(Data::Json(_)) => true,
            Body::Code(_) => false,
        }
    }

    /// The properties of the read, for choosing a connection.
    pub(crate) fn scope(&self) -> ReadScope {
        ReadScope { is_point_read: self.is_point_read(), is_one_statement: self.is_one_statement() }
    }
}

/// The plan of one root field.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) name: String,
    pub(crate) body: Body,
    /// Whether it reads at most one row of a table by its key.
    pub(crate) is_point_read: bool,
}

#[derive(Debug)]
pub(crate) enum Body {
    Data(Data),
    Code(Code),
}

/// Data that SQL statements return.
#[derive(Debug)]
pub(crate) enum Data {
    Rows(Rows),
    First(Rows),
    Aggregate(Vec<(String, AggregateBody)>),
    Grouped {
        rows: Rows,
        /// The plan that answers from column segments, or the reason why rows are needed.
        columns: Result<Box<crate::segments::Plan>, String>,
        shape: GroupingShape,
    },
    /// Complete JSON.
    Json(String),
}

#[derive(Debug)]
pub(crate) enum AggregateBody {
    /// One row, and the plan that answers from column segments, if there is one.
    Figures(Rows, Option<Box<crate::segments::Totals>>),
    Nodes(Rows),
    Json(String),
}

/// One statement, and the shape of the JSON object for each row.
#[derive(Debug)]
pub(crate) struct Rows {
    pub statement: Statement,
    pub shape: Shape,
    /// The number of nested lists and aggregates in the shape.
    pub nested: usize,
    /// The index of the cell with the number of the parent row, from 1, if the statement runs for many parents at once.
    pub parent: Option<usize>,
}

/// Keys in JSON notation (`"name":`) and their values, in order.
#[derive(Debug)]
pub(crate) struct Shape(pub Vec<(String, Node)>);

impl Shape {
    /// Builds the shape of an object with these keys.
    pub(crate) fn of(nodes: impl Iterator<Item = (String, Node)>) -> Self {
        let written = |(name, node)| (format!("{}:", serde_json::Value::String(name)), node);
        Self(nodes.map(written).collect())
    }
}

#[derive(Debug)]
pub(crate) enum Node {
    Cell {
        index: usize,
        print: Print,
    },
    Json(String),
    /// An object made of cells of the same row; null if the cell at `present` is null.
    Object {
        present: Option<usize>,
        shape: Shape,
    },
    /// A list of related rows; `keys` are the indices of this row's cells that are bound to it.
    Many {
        /// Its index among the nested lists and aggregates of the statement.
        place: usize,
        keys: Vec<usize>,
        rows: Box<Rows>,
    },
    Aggregate {
        place: usize,
        keys: Vec<usize>,
        parts: Vec<(String, AggregateBody)>,
    },
}

impl Body {
    fn weight(&self) -> usize {
        match self {
            Self::Data(Data::Rows(rows) | Data::First(rows) | Data::Grouped { rows, .. }) => rows.weight(),
            Self::Data(Data::Aggregate(parts)) => aggregate_weight(parts),
            Self::Data(Data::Json(json)) => json.len(),
            Self::Code(_) => 0,
        }
    }
}

impl Rows {
    fn weight(&self) -> usize {
        let values = self.statement.values.len() * size_of::<ParameterValue>();
        size_of::<Self>() + self.statement.sql.len() + values + self.shape.weight()
    }
}

impl Shape {
    fn weight(&self) -> usize {
        self.0.iter().map(|(key, node)| size_of::<(String, Node)>() + key.len() + node.weight()).sum()
    }
}

impl Node {
    fn weight(&self) -> usize {
        match self {
            Self::Cell { .. } => 0,
            Self::Json(json) => json.len(),
            Self::Object { shape, .. } => shape.weight(),
            Self::Many { rows, .. } => rows.weight(),
            Self::Aggregate { parts, .. } => aggregate_weight(parts),
        }
    }
}

fn aggregate_weight(parts: &[(String, AggregateBody)]) -> usize {
    let part = |(name, body): &(String, AggregateBody)| match body {
        AggregateBody::Figures(rows, totals) => {
            name.len() + rows.weight() + totals.as_ref().map_or(0, |totals| totals.weight())
        }
        AggregateBody::Nodes(rows) => name.len() + rows.weight(),
        AggregateBody::Json(json) => name.len() + json.len(),
    };
    parts.iter().map(part).sum()
}
