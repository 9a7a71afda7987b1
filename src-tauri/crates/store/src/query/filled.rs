//! Fills parameters of a prepared query into its filters.

use super::{Filter, RelatedFigure, Subject, Test};
use catalogue::Value;

impl Filter {
    /// Whether it contains parameters whose values are given when the plan runs.
    pub(crate) fn has_slots(&self) -> bool {
        match self {
            Self::And(filters) | Self::Or(filters) => filters.iter().any(Self::has_slots),
            Self::Not(filter) | Self::Related { filter, .. } => filter.has_slots(),
            Self::Test { subject, test } => {
                let of_figure = match subject {
                    Subject::Figure(figure) => figure.filter.as_ref().is_some_and(Self::has_slots),
                    _ => false,
                };
                of_figure || test.has_slots()
            }
            Self::Columns { .. } => false,
        }
    }

    /// The filter with its parameters replaced by values.
    pub(crate) fn filled(self, slots: &[Value]) -> Self {
        let all = |filters: Vec<Self>| filters.into_iter().map(|filter| filter.filled(slots)).collect();
        match self {
            Self::And(filters) => Self::And(all(filters)),
            Self::Or(filters) => Self::Or(all(filters)),
            Self::Not(filter) => Self::Not(Box::new(filter.filled(slots))),
            Self::Related { relationship, filter } => {
                Self::Related { relationship, filter: Box::new(filter.filled(slots)) }
            }
            Self::Test { subject, test } => {
                let subject = match subject {
                    Subject::Figure(figure) => {
                        let RelatedFigure { relationship, measure, distinct, filter } = *figure;
                        let filter = filter.map(|filter| filter.filled(slots));
                        Subject::Figure(Box::new(RelatedFigure { relationship, measure, distinct, filter }))
                    }
                    subject => subject,
                };
                Self::Test { subject, test: test.filled(slots) }
            }
            columns @ Self::Columns { .. } => columns,
        }
    }
}

impl Test {
    fn has_slots(&self) -> bool {
        match self {
            Self::All(tests) => tests.iter().any(Self::has_slots),
            Self::Not(test) => test.has_slots(),
            Self::CompareSlot(..) | Self::OneOfSlots(_) => true,
            Self::Compare(..) | Self::OneOf(_) | Self::IsNull | Self::HasKeys { .. } => false,
        }
    }

    fn filled(self, slots: &[Value]) -> Self {
        // A missing value is null, which equals nothing.
        let value = |slot: usize| slots.get(slot).cloned().unwrap_or(Value::Null);
        match self {
            Self::All(tests) => Self::All(tests.into_iter().map(|test| test.filled(slots)).collect()),
            Self::Not(test) => Self::Not(Box::new(test.filled(slots))),
            Self::CompareSlot(operator, slot) => Self::Compare(operator, value(slot)),
            Self::OneOfSlots(slots) => Self::OneOf(slots.into_iter().map(value).collect()),
            other => other,
        }
    }
}
