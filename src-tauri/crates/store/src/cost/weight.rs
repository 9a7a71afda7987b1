//! The cost of work done per row, in eighths of the cost of reading the row. Rounded measurements on rows of 40 columns.

use crate::query::{AggregatePart, FigureKind, Filter, Grouping, Operator, Range, Subject, Term, Test};

/// Comparing or adding a value.
const VALUE: u64 = 1;
/// Sorting by a value.
const SORTED: u64 = 2;
/// Matching a pattern, or parsing JSON.
const TAKEN_APART: u64 = 4;
/// Remembering a value to count it once.
const REMEMBERED: u64 = 8;

/// The cost of the conditions on the row itself.
pub(super) fn of_filter(filter: &Filter) -> u64 {
    match filter {
        Filter::And(filters) | Filter::Or(filters) => filters.iter().map(of_filter).sum(),
        Filter::Not(filter) => of_filter(filter),
        Filter::Test { subject: Subject::JsonText(_), test } => TAKEN_APART + of_test(test),
        Filter::Test { test, .. } => of_test(test),
        Filter::Columns { .. } => VALUE,
        Filter::Related { .. } => 0,
    }
}

fn of_test(test: &Test) -> u64 {
    match test {
        Test::All(tests) => tests.iter().map(of_test).sum(),
        Test::Not(test) => of_test(test),
        Test::Compare(operator, _) | Test::CompareParameter(operator, _) => match operator {
            Operator::Equal
            | Operator::NotEqual
            | Operator::Less
            | Operator::LessOrEqual
            | Operator::Greater
            | Operator::GreaterOrEqual => VALUE,
            Operator::Like
            | Operator::LikeAnyCase
            | Operator::Similar
            | Operator::SimilarAnyCase
            | Operator::Regex
            | Operator::RegexAnyCase
            | Operator::Contains
            | Operator::ContainedIn => TAKEN_APART,
        },
        Test::OneOf(_) | Test::OneOfParameters(_) | Test::IsNull => VALUE,
        Test::HasKeys { keys, .. } => TAKEN_APART * keys.len() as u64,
    }
}

/// The cost of filtering and sorting.
pub(super) fn of_range(range: &Range) -> u64 {
    let sorted = range.order.len() + range.distinct.len();
    range.filter.as_ref().map_or(0, of_filter) + SORTED * sorted as u64
}

/// The cost of the aggregates.
pub(super) fn of_part(part: &AggregatePart) -> u64 {
    let AggregatePart::Figures { figures, .. } = part else { return 0 };
    let one = |kind: &FigureKind| match kind {
        FigureKind::Count { distinct: true, .. } => REMEMBERED,
        FigureKind::Count { .. } => VALUE,
        FigureKind::Of { columns, .. } => VALUE * columns.len() as u64,
        FigureKind::Text(_) => 0,
    };
    figures.iter().map(|figure| one(&figure.kind)).sum()
}

/// The cost of an aggregate over related rows.
pub(super) fn of_figure(is_distinct: bool) -> u64 {
    if is_distinct { REMEMBERED } else { VALUE }
}

/// The cost of a listing per row.
pub(super) fn of_grouping(grouping: &Grouping) -> u64 {
    let terms: u64 = grouping.terms.iter().map(|(_, term)| of_term(term)).sum();
    let order: u64 = grouping.order.iter().map(|(term, _)| of_term(term)).sum();
    let filter = grouping.filter.as_ref().map_or(0, of_filter);
    terms + order + filter + SORTED * grouping.keys.len() as u64
}

fn of_term(term: &Term) -> u64 {
    match term {
        Term::CountDistinct(_) | Term::Values(_) => REMEMBERED,
        Term::Only(term, filter) => of_term(term) + of_filter(filter),
        Term::AsText(term) => of_term(term),
        Term::Null | Term::Text(_) => 0,
        Term::Key(_) | Term::Count | Term::Sum(_) | Term::Of(..) | Term::Latest { .. } | Term::Max(_) => {
            VALUE
        }
    }
}
