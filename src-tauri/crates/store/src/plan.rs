//! The decided form of a [`Query`](crate::Query): statements, and how their rows become JSON.

use crate::Code;
use crate::looks::CostEstimate;
use crate::query::GroupingShape;
use crate::scope::ReadScope;
use crate::statement::{Bound, Print, Statement};

/// Single rows that are looked at in no time worth speaking of.
const GLANCE: usize = 4;

/// How the queries of one request are answered; made by [`crate::Store::plan`], good for as long as the store is open.
#[derive(Debug, Default)]
pub struct Plans {
    pub(crate) plans: Vec<Plan>,
    pub(crate) looks: CostEstimate,
}

impl Plans {
    /// About how much memory they take, in bytes.
    pub fn weight(&self) -> usize {
        let plans: usize = self.plans.iter().map(|plan| plan.name.len() + plan.body.weight()).sum();
        plans + self.looks.weight()
    }

    /// Whether they look at a few single rows by their keys, and at nothing that could be many.
    pub fn is_glance(&self) -> bool {
        self.plans.len() <= GLANCE && self.plans.iter().all(|plan| plan.is_glance)
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

    /// How they are read.
    pub(crate) fn scope(&self) -> ReadScope {
        ReadScope { is_glance: self.is_glance(), is_one_statement: self.is_one_statement() }
    }
}

/// One root field, decided.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) name: String,
    pub(crate) body: Body,
    /// Whether it takes one look at one row of a table, or none.
    pub(crate) is_glance: bool,
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
        /// The same from columns, or why it takes rows.
        columns: Result<Box<crate::segments::Plan>, String>,
        shape: GroupingShape,
    },
    /// Finished JSON.
    Json(String),
}

#[derive(Debug)]
pub(crate) enum AggregateBody {
    /// One row, and the same from columns where these may tell it.
    Figures(Rows, Option<Box<crate::segments::Totals>>),
    Nodes(Rows),
    Json(String),
}

/// One statement and the shape of an object made of each row.
#[derive(Debug)]
pub(crate) struct Rows {
    pub statement: Statement,
    pub shape: Shape,
    /// Nested lists and figures of the shape.
    pub nested: usize,
    /// The cell with the number of the row's parent, from 1 on, where the statement is run for many parents at once.
    pub parent: Option<usize>,
}

/// Keys, as they stand in JSON (`"name":`), and what stands under them, in order.
#[derive(Debug)]
pub(crate) struct Shape(pub Vec<(String, Node)>);

impl Shape {
    /// The shape of an object with these keys.
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
    /// An object of cells of the same row; null when the cell at `present` is.
    Object {
        present: Option<usize>,
        shape: Shape,
    },
    /// A list of related rows; `keys` are the cells of this row that bind them.
    Many {
        /// Its number among the nested lists and figures of the statement.
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
        let values = self.statement.values.len() * size_of::<Bound>();
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
