//! Intent: what is asked of the data, before it is decided how.
//!
//! A [`Query`] names tables, columns and relationships by id, so it can only speak of what the catalogue knows. It says
//! nothing about tenants: [`crate::access`] adds that to every table a plan touches.

pub mod change;
mod filled;
mod grouping;

use crate::Code;
use catalogue::{Catalogue, ColumnId, RelationshipId, RelationshipKind, TableId, Value};
pub use grouping::{Grouping, GroupingShape, Key, Term, TimeUnit};

/// One entry of an answer, under `name`.
#[derive(Debug, Clone)]
pub struct Query {
    /// Key in the answer (the alias of the root field).
    pub name: String,
    pub kind: QueryKind,
}

#[derive(Debug, Clone)]
pub enum QueryKind {
    /// A list of objects.
    List(Select),
    /// One object or null.
    First(Select),
    /// Figures over rows, and the rows.
    Aggregate(AggregateSelect),
    /// `{rows: […]}` of grouped rows.
    Grouped(Grouping),
    /// A constant text (`__typename`).
    Text(String),
    /// JSON made elsewhere (introspection), put in as it is.
    Json(String),
    /// What code answers.
    Code(Code),
}

/// Rows of one table.
#[derive(Debug, Clone)]
pub struct Select {
    pub table: TableId,
    pub fields: Vec<Field>,
    pub range: Range,
}

/// Which rows, in which order, how many.
#[derive(Debug, Clone, Default)]
pub struct Range {
    pub filter: Option<Filter>,
    pub order: Vec<Order>,
    /// `distinct_on`: the first row of each combination, by `order`. Must lead `order` when both are given.
    pub distinct: Vec<ColumnId>,
    pub limit: Option<Rows>,
    pub offset: Option<Rows>,
    /// What a view that takes arguments is given, by name.
    pub arguments: Vec<(String, Value)>,
}

/// How many rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    Known(u64),
    /// What the plan's slot is filled with when it runs.
    Slot(usize),
}

impl Range {
    /// Whether it takes more than a filter to tell which rows are meant.
    pub(crate) fn is_bounded(&self) -> bool {
        !self.distinct.is_empty() || self.limit.is_some() || self.offset.is_some()
    }
}

#[derive(Debug, Clone)]
pub struct Field {
    /// Key in the answer.
    pub name: String,
    pub kind: FieldKind,
}

#[derive(Debug, Clone)]
pub enum FieldKind {
    /// A column; `path` picks inside a JSON column (`$.a.b[0]`).
    Column {
        column: ColumnId,
        path: Option<String>,
    },
    Text(String),
    One {
        relationship: RelationshipId,
        fields: Vec<Field>,
    },
    Many {
        relationship: RelationshipId,
        fields: Vec<Field>,
        range: Range,
    },
    Aggregate {
        relationship: RelationshipId,
        parts: Vec<AggregatePart>,
        range: Range,
    },
}

#[derive(Debug, Clone)]
pub struct AggregateSelect {
    pub table: TableId,
    pub parts: Vec<AggregatePart>,
    pub range: Range,
}

/// One field of `T_aggregate`.
#[derive(Debug, Clone)]
pub enum AggregatePart {
    Figures { name: String, figures: Vec<Figure> },
    Nodes { name: String, fields: Vec<Field> },
    Text { name: String, text: String },
}

/// One field of `T_aggregate_fields`.
#[derive(Debug, Clone)]
pub struct Figure {
    pub name: String,
    pub kind: FigureKind,
}

#[derive(Debug, Clone)]
pub enum FigureKind {
    /// Rows, or rows in which the columns are not null; `distinct` counts combinations.
    Count {
        columns: Vec<ColumnId>,
        distinct: bool,
    },
    /// One function of several columns, as an object.
    Of {
        function: Function,
        columns: Vec<FigureColumn>,
    },
    Text(String),
}

#[derive(Debug, Clone)]
pub struct FigureColumn {
    pub name: String,
    /// `None` stands for `__typename`, whose text is in `text`.
    pub column: Option<ColumnId>,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    Sum,
    Avg,
    Min,
    Max,
    Stddev,
    StddevPop,
    StddevSamp,
    VarPop,
    VarSamp,
    Variance,
}

impl Function {
    pub const ALL: [Self; 10] = [
        Self::Sum,
        Self::Avg,
        Self::Min,
        Self::Max,
        Self::Stddev,
        Self::StddevPop,
        Self::StddevSamp,
        Self::VarPop,
        Self::VarSamp,
        Self::Variance,
    ];

    /// The name of its field in the interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Avg => "avg",
            Self::Min => "min",
            Self::Max => "max",
            Self::Stddev => "stddev",
            Self::StddevPop => "stddev_pop",
            Self::StddevSamp => "stddev_samp",
            Self::VarPop => "var_pop",
            Self::VarSamp => "var_samp",
            Self::Variance => "variance",
        }
    }

    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }

    /// Whether it applies to every ordered column, not to numbers only.
    pub fn takes_any_order(self) -> bool {
        matches!(self, Self::Min | Self::Max)
    }
}

/// A condition on a row. An empty `And` is true, an empty `Or` false.
#[derive(Debug, Clone)]
pub enum Filter {
    And(Vec<Filter>),
    Or(Vec<Filter>),
    Not(Box<Filter>),
    Test {
        subject: Subject,
        test: Test,
    },
    /// Two values of the row beside each other.
    Columns {
        left: Key,
        operator: Operator,
        right: Key,
    },
    /// Whether there is a related row that meets the filter.
    Related {
        relationship: RelationshipId,
        filter: Box<Filter>,
    },
}

impl Filter {
    /// Whether every row that meets it has a value in `column`. Only what is plain to see: a comparison, one of several values, not null.
    pub(crate) fn excludes_null(&self, column: ColumnId) -> bool {
        match self {
            Self::And(filters) => filters.iter().any(|filter| filter.excludes_null(column)),
            Self::Or(filters) => {
                !filters.is_empty() && filters.iter().all(|filter| filter.excludes_null(column))
            }
            Self::Test { subject: Subject::Column(of) | Subject::Key(Key::Column(of)), test } => {
                *of == column && test.excludes_null()
            }
            Self::Test { .. } | Self::Not(_) | Self::Columns { .. } | Self::Related { .. } => false,
        }
    }

    /// Whether what it says of one row of `table` is told by going through many others.
    pub(crate) fn looks_at_many(&self, catalogue: &Catalogue, table: TableId) -> bool {
        match self {
            Self::And(filters) | Self::Or(filters) => {
                filters.iter().any(|filter| filter.looks_at_many(catalogue, table))
            }
            Self::Not(filter) => filter.looks_at_many(catalogue, table),
            Self::Test { subject, .. } => matches!(subject, Subject::Figure(_)),
            Self::Columns { .. } => false,
            Self::Related { relationship, filter } => {
                let related = catalogue.table(table).relationship(*relationship);
                related.kind == RelationshipKind::Many || filter.looks_at_many(catalogue, related.target)
            }
        }
    }
}

/// What a test looks at.
#[derive(Debug, Clone)]
pub enum Subject {
    Column(ColumnId),
    /// The text PostgreSQL would write for a JSON column.
    JsonText(ColumnId),
    /// A value of a listing.
    Key(Key),
    /// Its text: ids in their text form, numbers as they are written.
    KeyText(Key),
    Figure(Box<RelatedFigure>),
}

/// A figure over the related rows of a row.
#[derive(Debug, Clone)]
pub struct RelatedFigure {
    pub relationship: RelationshipId,
    pub measure: Measure,
    /// Every value counts once.
    pub distinct: bool,
    /// Which related rows count.
    pub filter: Option<Filter>,
}

#[derive(Debug, Clone)]
pub enum Measure {
    /// Rows, or rows in which the columns are not null.
    Count(Vec<ColumnId>),
    Of(Function, ColumnId),
    /// Pearson's correlation.
    Correlation(ColumnId, ColumnId),
    /// Covariance of a sample.
    Covariance(ColumnId, ColumnId),
    AllTrue(ColumnId),
    AnyTrue(ColumnId),
}

/// A condition on one value.
#[derive(Debug, Clone)]
pub enum Test {
    All(Vec<Test>),
    Not(Box<Test>),
    Compare(Operator, Value),
    /// One of the values; an empty list is false.
    OneOf(Vec<Value>),
    /// The same with what the plan's slots are filled with when it runs ([`crate::Store::run`]).
    CompareSlot(Operator, usize),
    OneOfSlots(Vec<usize>),
    IsNull,
    /// Whether any of the keys (or, with `all`, every one) stands at the top of a JSON object.
    HasKeys {
        keys: Vec<String>,
        all: bool,
    },
}

impl Test {
    fn excludes_null(&self) -> bool {
        match self {
            Self::All(tests) => tests.iter().any(Self::excludes_null),
            Self::Not(test) => matches!(**test, Self::IsNull),
            Self::Compare(..) | Self::OneOf(_) | Self::CompareSlot(..) | Self::OneOfSlots(_) => true,
            Self::IsNull | Self::HasKeys { .. } => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Like,
    LikeAnyCase,
    /// SQL's SIMILAR TO.
    Similar,
    SimilarAnyCase,
    /// A regular expression found anywhere in the text.
    Regex,
    RegexAnyCase,
    /// JSON containment: the column holds at least the value.
    Contains,
    /// JSON containment: the value holds at least the column.
    ContainedIn,
}

impl Operator {
    /// The operator that does not regard case, where the operator is one of patterns.
    pub(crate) fn any_case(self) -> Self {
        match self {
            Self::Like => Self::LikeAnyCase,
            Self::Similar => Self::SimilarAnyCase,
            Self::Regex => Self::RegexAnyCase,
            other => other,
        }
    }
}

impl Test {
    /// The test as columns take it whose collation does not regard case.
    pub(crate) fn any_case(&self) -> Self {
        match self {
            Self::All(tests) => Self::All(tests.iter().map(Self::any_case).collect()),
            Self::Not(test) => Self::Not(Box::new(test.any_case())),
            Self::Compare(operator, value) => Self::Compare(operator.any_case(), value.clone()),
            Self::CompareSlot(operator, slot) => Self::CompareSlot(operator.any_case(), *slot),
            other => other.clone(),
        }
    }
}

#[derive(Debug, Clone)]
pub struct Order {
    /// One-relationships to follow first.
    pub path: Vec<RelationshipId>,
    pub by: OrderBy,
    pub direction: Direction,
}

#[derive(Debug, Clone)]
pub enum OrderBy {
    Column(ColumnId),
    Figure(RelatedFigure),
}

/// Where rows stand, nulls included. Without a word about nulls, they count as larger than any value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Ascending { nulls_first: bool },
    Descending { nulls_first: bool },
}

impl Direction {
    /// Reads `asc`, `desc_nulls_last`, …
    pub fn find(name: &str) -> Option<Self> {
        Some(match name {
            "asc" | "asc_nulls_last" => Self::Ascending { nulls_first: false },
            "asc_nulls_first" => Self::Ascending { nulls_first: true },
            "desc" | "desc_nulls_first" => Self::Descending { nulls_first: true },
            "desc_nulls_last" => Self::Descending { nulls_first: false },
            _ => return None,
        })
    }
}
