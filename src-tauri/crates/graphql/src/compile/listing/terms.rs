//! Converts logical columns to keys and fields of a row.

use super::{ListingRequest, refused};
use crate::error::{GraphqlError, Path};
use catalogue::{
    ListingColumn, ListingCondition, ListingFigure, ListingMeasure, ListingSource, ListingTest, ListingValue,
    LogicalType, Scalar, Value,
};
use store::query::{Filter, Function, Key, Operator, Subject, Term, Test, TimeUnit};

const DAY: i64 = 86_400_000_000;

impl ListingRequest<'_> {
    /// The row field of a column. Numbers and booleans become text if the row type declares String.
    pub(super) fn field(
        &self,
        column: &ListingColumn,
        is_grouped: bool,
        path: &Path<'_>,
    ) -> Result<Term, GraphqlError> {
        let term = self.term(column, is_grouped, path)?;
        let is_text = column.row_type.as_deref().is_some_and(|kind| kind.trim_end_matches('!') == "String");
        let is_other =
            matches!(column.logical, LogicalType::Integer | LogicalType::Float | LogicalType::Boolean);
        Ok(if is_text && is_other { Term::AsText(Box::new(term)) } else { term })
    }

    pub(super) fn term(
        &self,
        column: &ListingColumn,
        is_grouped: bool,
        path: &Path<'_>,
    ) -> Result<Term, GraphqlError> {
        let ListingSource::Figure(ListingFigure { measure, conditions: only }) = &column.source else {
            return Ok(Term::Key(self.key(column, is_grouped, path)?));
        };
        let term = match measure {
            ListingMeasure::Count => match self.known.distinct.get(&column.name) {
                None => Term::Count,
                Some(names) if names.is_empty() => Term::Count,
                Some(names) => Term::CountDistinct(
                    names
                        .iter()
                        .map(|name| self.key(self.find(name, path)?, false, path))
                        .collect::<Result<_, _>>()?,
                ),
            },
            ListingMeasure::CountDistinct(of) => Term::CountDistinct(vec![Key::Column(*of)]),
            ListingMeasure::Sum(of) => Term::Sum(*of),
            ListingMeasure::Avg(of) => Term::Of(Function::Avg, *of),
            ListingMeasure::Min(of) => Term::Of(Function::Min, *of),
            ListingMeasure::Max(of) => Term::Of(Function::Max, *of),
            ListingMeasure::Latest { value, order_by } => Term::Latest { value: *value, order_by: *order_by },
            ListingMeasure::Values(of) => Term::Values(*of),
        };
        Ok(match only.as_slice() {
            [] => term,
            only => Term::Only(Box::new(term), Filter::And(filters(only))),
        })
    }

    /// The key of a plain column. In a grouped listing, a time without a unit is truncated to its day.
    pub(super) fn key(
        &self,
        column: &ListingColumn,
        is_grouped: bool,
        path: &Path<'_>,
    ) -> Result<Key, GraphqlError> {
        let ListingSource::Value(value) = &column.source else {
            return Err(refused(
                path,
                &format!(
                    "aggregate column '{}' of table '{}' cannot be grouped by or counted",
                    column.name, self.listing.name
                ),
            ));
        };
        if let ListingValue::Column(id) = value
            && matches!(self.table.column(*id).scalar, Scalar::Timestamp | Scalar::Timestamptz)
        {
            return Ok(match self.known.units.get(&column.name) {
                Some(unit) => Key::Time(*id, *unit),
                None if is_grouped => Key::Time(*id, TimeUnit::Day),
                None => Key::Column(*id),
            });
        }
        self.value(column, value, path)
    }

    /// A value as it appears in the row.
    pub(super) fn value(
        &self,
        column: &ListingColumn,
        value: &ListingValue,
        path: &Path<'_>,
    ) -> Result<Key, GraphqlError> {
        Ok(match value {
            ListingValue::Column(id) => Key::Column(*id),
            ListingValue::Related(way, id) => Key::Related(way.clone(), *id),
            ListingValue::JsonPath(id, place) => Key::JsonPath(*id, place.clone()),
            ListingValue::Joined(ids, with) => Key::Joined(ids.clone(), with.clone()),
            ListingValue::Recent(id, days) => Key::Recent(*id, i64::from(*days) * DAY),
            ListingValue::First(values) => Key::First(
                values.iter().map(|value| self.value(column, value, path)).collect::<Result<_, _>>()?,
            ),
            ListingValue::JsonKey(id) => {
                let key = self.known.keys.get(&column.name).ok_or_else(|| {
                    refused(path, &format!(
                        "'{0}' needs a key: column_transformations: [{{name: \"{0}\", expr: \"json_key\", args: [\"team\"]}}]",
                        column.name
                    ))
                })?;
                Key::JsonKey(*id, key.clone())
            }
        })
    }
}

/// Converts conditions of the catalogue.
pub(super) fn filters(conditions: &[ListingCondition]) -> Vec<Filter> {
    let filter = |condition: &ListingCondition| {
        let id = condition.column;
        let subject = Subject::Column(id);
        let recent = |days: u32| Filter::Test {
            subject: Subject::Key(Key::Recent(id, i64::from(days) * DAY)),
            test: Test::Compare(Operator::Equal, Value::Bool(true)),
        };
        match &condition.test {
            ListingTest::OneOf(values) => Filter::Test { subject, test: Test::OneOf(values.clone()) },
            // Null is none of these values.
            ListingTest::NoneOf(values) => Filter::Or(vec![
                Filter::Test { subject: subject.clone(), test: Test::IsNull },
                Filter::Test { subject, test: Test::Not(Box::new(Test::OneOf(values.clone()))) },
            ]),
            ListingTest::Newer(days) => recent(*days),
            ListingTest::Older(days) => Filter::Not(Box::new(recent(*days))),
        }
    };
    conditions.iter().map(filter).collect()
}
