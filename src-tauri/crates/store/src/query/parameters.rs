//! Fills parameters of a prepared query into its filters.

use super::{Filter, RelatedFigure, Subject, Test};
use catalogue::Value;

impl Filter {
    /// Whether it contains parameters whose values are given when the plan runs.
    pub(crate) fn has_parameters(&self) -> bool {
        match self {
            Self::And(filters) | Self::Or(filters) => filters.iter().any(Self::has_parameters),
            Self::Not(filter) | Self::Related { filter, .. } => filter.has_parameters(),
            Self::Test { subject, test } => {
                let of_figure = match subject {
                    Subject::Figure(figure) => figure.filter.as_ref().is_some_and(Self::has_parameters),
                    _ => false,
                };
                of_figure || test.has_parameters()
            }
            Self::Columns { .. } => false,
        }
    }

    /// The filter with its parameters replaced by values.
    pub(crate) fn with_parameters(self, parameters: &[Value]) -> Self {
        let all = |filters: Vec<Self>| {
            filters.into_iter().map(|filter| filter.with_parameters(parameters)).collect()
        };
        match self {
            Self::And(filters) => Self::And(all(filters)),
            Self::Or(filters) => Self::Or(all(filters)),
            Self::Not(filter) => Self::Not(Box::new(filter.with_parameters(parameters))),
            Self::Related { relationship, filter } => {
                Self::Related { relationship, filter: Box::new(filter.with_parameters(parameters)) }
            }
            Self::Test { subject, test } => {
                let subject = match subject {
                    Subject::Figure(figure) => {
                        let RelatedFigure { relationship, measure, distinct, filter } = *figure;
                        let filter = filter.map(|filter| filter.with_parameters(parameters));
                        Subject::Figure(Box::new(RelatedFigure { relationship, measure, distinct, filter }))
                    }
                    subject => subject,
                };
                Self::Test { subject, test: test.with_parameters(parameters) }
            }
            columns @ Self::Columns { .. } => columns,
        }
    }
}

impl Test {
    fn has_parameters(&self) -> bool {
        match self {
            Self::All(tests) => tests.iter().any(Self::has_parameters),
            Self::Not(test) => test.has_parameters(),
            Self::CompareParameter(..) | Self::OneOfParameters(_) => true,
            Self::Compare(..) | Self::OneOf(_) | Self::IsNull | Self::HasKeys { .. } => false,
        }
    }

    fn with_parameters(self, parameters: &[Value]) -> Self {
        // A missing value is null, which equals nothing.
        let value = |parameter: usize| parameters.get(parameter).cloned().unwrap_or(Value::Null);
        match self {
            Self::All(tests) => {
                Self::All(tests.into_iter().map(|test| test.with_parameters(parameters)).collect())
            }
            Self::Not(test) => Self::Not(Box::new(test.with_parameters(parameters))),
            Self::CompareParameter(operator, parameter) => Self::Compare(operator, value(parameter)),
            Self::OneOfParameters(parameters) => Self::OneOf(parameters.into_iter().map(value).collect()),
            other => other,
        }
    }
}
