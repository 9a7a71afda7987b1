//! Converts `where` objects of requests to conditions on columns (semantics §5).

use super::Look;
use super::arguments::Arguments;
use catalogue::{Scalar, Value, parse_timestamp};
use graphql::Refusal;
use serde_json::Value as Json;
use store::query::{Operator, Test};
use uuid::Uuid;

impl Look<'_> {
    /// Adds the conditions of a request object. `columns` maps its field names to columns.
    pub(crate) fn where_object(
        mut self,
        wheres: Arguments<'_>,
        columns: &[(&str, &str)],
    ) -> Result<Self, Refusal> {
        for (name, column) in columns {
            let tests = wheres.object(name);
            for (operator, value) in tests.0.iter().filter(|(_, value)| !value.is_null()) {
                let scalar = self.scalar(column)?;
                match test(name, operator, value, scalar)? {
                    Condition::All => {}
                    Condition::Test(test) => self = self.that(column, test)?,
                    Condition::Column(operator, other) => {
                        let known = columns.iter().find(|(known, _)| *known == other);
                        let Some((_, other)) = known else {
                            let message =
                                format!("`{name}` is compared with `{other}`, which is no column here");
                            return Err(Refusal::invalid(message));
                        };
                        self = self.beside(column, operator, other)?;
                    }
                }
            }
        }
        Ok(self)
    }
}

enum Condition {
    /// No restriction.
    All,
    Test(Test),
    /// A comparison with another column.
    Column(Operator, String),
}

fn test(name: &str, operator: &str, value: &Json, scalar: &Scalar) -> Result<Condition, Refusal> {
    let one = |operator| Ok(Condition::Test(Test::Compare(operator, cell(name, value, scalar)?)));
    let text = || value.as_str().unwrap_or_default().to_owned();
    let like = |operator| {
        if *scalar != Scalar::String {
            let message = format!("`{name}` is no text: a pattern needs one, compare with _eq or _in");
            return Err(Refusal::invalid(message));
        }
        Ok(Test::Compare(operator, Value::Text(text())))
    };
    let members = || -> Result<Vec<Value>, Refusal> {
        value.as_array().into_iter().flatten().map(|value| cell(name, value, scalar)).collect()
    };
    match operator {
        "_eq" => one(Operator::Equal),
        "_neq" => one(Operator::NotEqual),
        "_lt" => one(Operator::Less),
        "_lte" => one(Operator::LessOrEqual),
        "_gt" => one(Operator::Greater),
        "_gte" => one(Operator::GreaterOrEqual),
        // An empty list is no restriction (semantics §5).
        "_in" | "_not_in" if value.as_array().is_some_and(Vec::is_empty) => Ok(Condition::All),
        "_in" => Ok(Condition::Test(Test::OneOf(members()?))),
        "_not_in" => Ok(Condition::Test(Test::Not(Box::new(Test::OneOf(members()?))))),
        "_like" => like(Operator::Like).map(Condition::Test),
        "_nlike" => Ok(Condition::Test(Test::Not(Box::new(like(Operator::Like)?)))),
        "_ilike" => like(Operator::LikeAnyCase).map(Condition::Test),
        "_is_null" if *value == Json::Bool(false) => Ok(Condition::Test(Test::Not(Box::new(Test::IsNull)))),
        "_is_null" => Ok(Condition::Test(Test::IsNull)),
        "_eq_f" => Ok(Condition::Column(Operator::Equal, text())),
        "_neq_f" => Ok(Condition::Column(Operator::NotEqual, text())),
        "_like_f" => Ok(Condition::Column(Operator::Like, text())),
        "_ilike_f" => Ok(Condition::Column(Operator::LikeAnyCase, text())),
        _ => Err(Refusal::invalid(format!("`{name}` holds no JSON: {operator} does not apply to it"))),
    }
}

fn cell(name: &str, value: &Json, scalar: &Scalar) -> Result<Value, Refusal> {
    let wrong =
        |expected: &str| Refusal::invalid(format!("`{name}` is compared with {value}: expected {expected}"));
    let text = value.as_str().unwrap_or_default();
    Ok(match scalar {
        Scalar::Uuid => Value::Uuid(Uuid::parse_str(text).map_err(|_| wrong("a UUID"))?),
        Scalar::Boolean => Value::Bool(value.as_bool().ok_or_else(|| wrong("true or false"))?),
        Scalar::Timestamp | Scalar::Timestamptz => {
            Value::Timestamp(parse_timestamp(text).ok_or_else(|| wrong("a time"))?)
        }
        _ => Value::Text(text.to_owned()),
    })
}
