//! The intent of a query: the requested data, before it is planned.
//!
//! A [`Query`] refers to tables, columns and relationships by id, and can therefore only name parts of the catalogue. It contains nothing
//! about tenants: [`crate::access`] adds that to every table of a plan.

pub mod change;
mod grouping;
mod parameters;

use crate::Code;
use catalogue::{Catalogue, ColumnId, RelationshipId, RelationshipKind, TableId, Value};
pub use grouping::{Grouping, GroupingShape, Key, Term, TimeUnit};

/// One member of a response, named `name`.
#[derive(Debug, Clone)]
pub struct Query {
    /// Key in the response (the alias of the root field).
    pub name: String,
    pub kind: QueryKind,
}

#[derive(Debug, Clone)]
pub enum QueryKind {
    /// A list of objects.
    List(Select),
    /// One object or null.
    First(Select),
    /// Aggregates over rows, and the rows.
    Aggregate(AggregateSelect),
    /// `{rows: […]}` of grouped rows.
    Grouped(Grouping),
    /// A constant text (`__typename`).
    Text(String),
    /// JSON computed elsewhere (introspection), inserted unchanged.
    Json(String),
    /// A query implemented in code.
    Code(Code),
}

/// Rows of one table.
#[derive(Debug, Clone)]
pub struct Select {
    pub table: TableId,
    pub fields: Vec<Field>,
    pub range: Range,
}

/// Filter, order and number of rows.
#[derive(Debug, Clone, Default)]
pub struct Range {
    pub filter: Option<Filter>,
    pub order: Vec<Order>,
    /// `distinct_on`: the first row of each combination, by `order`. Must be a prefix of `order` if both are given.
    pub distinct: Vec<ColumnId>,
    pub limit: Option<Rows>,
    pub offset: Option<Rows>,
    /// The arguments of a view with parameters, by name.
    pub arguments: Vec<(String, Value)>,
}

/// A number of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    Known(u64),
    /// The value of a parameter of the plan.
    Parameter(usize),
}

impl Range {
    /// Whether the selected rows depend on more than the filter.
    pub(crate) fn is_bounded(&self) -> bool {
        !self.distinct.is_empty() || self.limit.is_some() || self.offset.is_some()
    }
}

#[derive(Debug, Clone)]
pub struct Field {
    /// Key in the response.
    pub name: String,
    pub kind: FieldKind,
}

#[derive(Debug, Clone)]
pub enum FieldKind {
    /// A column; `path` selects a value inside a JSON column (`$.a.b[0]`).
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
    /// The number of rows, or of rows in which the columns are not null; `distinct` counts distinct combinations.
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
    /// `None` means `__typename`, whose text is in `text`.
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

    /// The name of its GraphQL field.
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

    /// Whether it applies to every ordered column, not only to numbers.
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
    /// Compares two values of the row.
    Columns {
        left: Key,
        operator: Operator,
        right: Key,
    },
    /// Whether a related row matches the filter.
    Related {
        relationship: RelationshipId,
        filter: Box<Filter>,
    },
}

impl Filter {
    /// Whether every matching row has a value in `column`. Only recognises simple cases: a comparison, one of several values, not null.
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

    /// Whether evaluating it for one row of `table` requires reading many other rows.
    pub(crate) fn reads_many_rows(&self, catalogue: &Catalogue, table: TableId) -> bool {
        match self {
            Self::And(filters) | Self::Or(filters) => {
                filters.iter().any(|filter| filter.reads_many_rows(catalogue, table))
            }
            Self::Not(filter) => filter.reads_many_rows(catalogue, table),
            Self::Test { subject, .. } => matches!(subject, Subject::Figure(_)),
            Self::Columns { .. } => false,
            Self::Related { relationship, filter } => {
                let related = catalogue.table(table).relationship(*relationship);
                related.kind == RelationshipKind::Many || filter.reads_many_rows(catalogue, related.target)
            }
        }
    }
}

/// The value a test applies to.
#[derive(Debug, Clone)]
pub enum Subject {
    Column(ColumnId),
    /// The text that PostgreSQL would write for a JSON column.
    JsonText(ColumnId),
    /// A value of a listing.
    Key(Key),
    /// The value as text: ids in their text form, numbers as written.
    KeyText(Key),
    Figure(Box<RelatedFigure>),
}

/// An aggregate over the related rows of a row.
#[derive(Debug, Clone)]
pub struct RelatedFigure {
    pub relationship: RelationshipId,
    pub measure: Measure,
    /// Whether only distinct values count.
    pub distinct: bool,
    /// Which related rows count.
    pub filter: Option<Filter>,
}

#[derive(Debug, Clone)]
pub enum Measure {
    /// The number of rows, or of rows in which the columns are not null.
    Count(Vec<ColumnId>),
    Of(Function, ColumnId),
    /// Pearson's correlation coefficient.
    Correlation(ColumnId, ColumnId),
    /// Sample covariance.
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
    /// Equals one of the values; an empty list is false.
    OneOf(Vec<Value>),
    /// A comparison with a parameter of the plan ([`crate::Store::run`]).
    CompareParameter(Operator, usize),
    OneOfParameters(Vec<usize>),
    IsNull,
    /// Whether a JSON object has one of the keys at its top level, or all of them if `all` is set.
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
            Self::Compare(..) | Self::OneOf(_) | Self::CompareParameter(..) | Self::OneOfParameters(_) => {
                true
            }
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
    /// JSON containment: the column contains the value.
    Contains,
    /// JSON containment: the value contains the column.
    ContainedIn,
}

impl Operator {
    /// The case-insensitive form of a pattern operator; other operators are unchanged.
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
    /// The test for columns with a case-insensitive collation.
    pub(crate) fn any_case(&self) -> Self {
        match self {
            Self::All(tests) => Self::All(tests.iter().map(Self::any_case).collect()),
            Self::Not(test) => Self::Not(Box::new(test.any_case())),
            Self::Compare(operator, value) => Self::Compare(operator.any_case(), value.clone()),
            Self::CompareParameter(operator, slot) => Self::CompareParameter(operator.any_case(), *slot),
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

/// Sort direction, with the position of nulls. By default nulls sort as larger than any value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Ascending { nulls_first: bool },
    Descending { nulls_first: bool },
}

impl Direction {
    /// Parses `asc`, `desc_nulls_last`, …
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
