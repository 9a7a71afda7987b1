//! Parses conditions: `{status: "active", kind: ["A", "B"], key: {not: "x"}, seen: {newer_than_days: 7}}`.

use crate::parse::directives::Directive;
use crate::parse::problems::Problems;
use crate::parse::values::literal;
use crate::{Catalogue, Column, ListingCondition, ListingTest, Scalar, TableId, Value};
use async_graphql_value::{ConstValue, Name};

/// The conditions of an argument; all must hold. Empty if the argument is absent.
pub(super) fn conditions(
    directive: &Directive<'_>,
    argument: &str,
    table: TableId,
    catalogue: &Catalogue,
    problems: &mut Problems,
) -> Vec<ListingCondition> {
    let Some(value) = directive.value(argument) else { return Vec::new() };
    let ConstValue::Object(entries) = value else {
        problems.add(
            directive.place,
            format!("@{}({argument}: …) must be an object of columns, not {value}", directive.name),
        );
        return Vec::new();
    };
    let described = catalogue.table(table);
    let mut known = Vec::with_capacity(entries.len());
    for (name, value) in entries {
        let Some(column) = described.find_column(name) else {
            problems.add(directive.place, format!("`{}` has no column `{name}`", described.name));
            continue;
        };
        match test(value, described.column(column), catalogue) {
            Ok(test) => known.push(ListingCondition { column, test }),
            Err(message) => problems.add(directive.place, format!("`{name}`: {message}")),
        }
    }
    known
}

fn test(value: &ConstValue, column: &Column, catalogue: &Catalogue) -> Result<ListingTest, String> {
    let ConstValue::Object(entries) = value else {
        return Ok(ListingTest::OneOf(values(value, column, catalogue)?));
    };
    let days = |days: &ConstValue| -> Result<u32, String> {
        if !matches!(column.scalar, Scalar::Timestamp | Scalar::Timestamptz) {
            return Err("days are counted from a time".to_owned());
        }
        match days {
            ConstValue::Number(number) => number.as_u64().and_then(|number| u32::try_from(number).ok()),
            _ => None,
        }
        .ok_or_else(|| format!("{days} is no number of days"))
    };
    match entries.iter().map(|(name, value): (&Name, _)| (name.as_str(), value)).collect::<Vec<_>>()[..] {
        [("not", value)] => Ok(ListingTest::NoneOf(values(value, column, catalogue)?)),
        [("newer_than_days", value)] => Ok(ListingTest::Newer(days(value)?)),
        [("older_than_days", value)] => Ok(ListingTest::Older(days(value)?)),
        _ => Err(format!(
            "write a value, a list of values, {{not: …}}, {{newer_than_days: …}} or {{older_than_days: …}}, not {value}"
        )),
    }
}

/// A single value or a list of values.
fn values(value: &ConstValue, column: &Column, catalogue: &Catalogue) -> Result<Vec<Value>, String> {
    let one = |value: &ConstValue| match &column.scalar {
        Scalar::Enum { name, .. } => {
            let word = match value {
                ConstValue::String(text) => text.as_str(),
                ConstValue::Enum(word) => word.as_str(),
                _ => "",
            };
            let known = catalogue.enum_values(name).unwrap_or_default().iter();
            let is_known = known.into_iter().any(|known| known.value == word);
            is_known
                .then(|| Value::Text(word.to_owned()))
                .ok_or_else(|| format!("{value} is no value of type {name}"))
        }
        scalar => literal(value, scalar, column.exact, &std::collections::HashMap::new()),
    };
    match value {
        ConstValue::List(members) => members.iter().map(one).collect(),
        single => Ok(vec![one(single)?]),
    }
}
