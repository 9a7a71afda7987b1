//! Conditions on items as JSONata writes them between brackets: fields, comparisons, `and`, `or`, `in` and a few functions. What a field that is not there
//! means is as JSONata has it: it equals nothing, and no comparison with it holds.

mod reader;

use serde_json::Value;

/// A condition that was understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Predicate(Term);

#[derive(Debug, Clone, PartialEq)]
enum Term {
    Literal(Value),
    List(Vec<Term>),
    /// Fields from the item on; none is the item itself.
    Path(Vec<String>),
    Compare(Box<Term>, Comparison, Box<Term>),
    Both(Box<Term>, Box<Term>),
    Either(Box<Term>, Box<Term>),
    Call(Function, Vec<Term>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Function {
    Boolean,
    Contains,
    Count,
    Exists,
    Length,
    Lowercase,
    Not,
    Number,
    Text,
    Uppercase,
}

impl Predicate {
    /// Reads a condition.
    ///
    /// # Errors
    /// What was expected where.
    pub fn parse(text: &str) -> Result<Self, String> {
        reader::read(text).map(Self)
    }

    /// Whether an item meets it.
    ///
    /// # Errors
    /// What cannot be compared.
    pub fn holds(&self, item: &Value) -> Result<bool, String> {
        match self.0.value(item)? {
            Some(Value::Number(number)) => Err(format!(
                "the condition gives the number {number}: expected a comparison, such as cpu > 80"
            )),
            value => Ok(is_true(value.as_ref())),
        }
    }
}

impl Term {
    /// None where nothing is there.
    fn value(&self, item: &Value) -> Result<Option<Value>, String> {
        Ok(match self {
            Self::Literal(value) => Some(value.clone()),
            Self::List(terms) => {
                let mut list = Vec::new();
                for term in terms {
                    list.extend(term.value(item)?);
                }
                Some(Value::Array(list))
            }
            Self::Path(steps) => steps.iter().try_fold(item.clone(), |value, step| field(&value, step)),
            Self::Compare(left, comparison, right) => {
                compare(left.value(item)?, *comparison, right.value(item)?)?.map(Value::Bool)
            }
            Self::Both(left, right) => {
                Some((is_true(left.value(item)?.as_ref()) && is_true(right.value(item)?.as_ref())).into())
            }
            Self::Either(left, right) => {
                Some((is_true(left.value(item)?.as_ref()) || is_true(right.value(item)?.as_ref())).into())
            }
            Self::Call(function, arguments) => {
                let mut values = arguments.iter().map(|argument| argument.value(item));
                let first = values.next().transpose()?.flatten();
                let second = values.next().transpose()?.flatten();
                call(*function, first, second)?
            }
        })
    }
}

/// The field of an object, or those of the objects of a list.
fn field(value: &Value, name: &str) -> Option<Value> {
    match value {
        Value::Object(fields) => fields.get(name).cloned(),
        Value::Array(list) => {
            let mut found = Vec::new();
            for one in list.iter().filter_map(|one| field(one, name)) {
                match one {
                    Value::Array(inner) => found.extend(inner),
                    one => found.push(one),
                }
            }
            if found.len() > 1 { Some(Value::Array(found)) } else { found.pop() }
        }
        _ => None,
    }
}

fn is_true(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => false,
        Some(Value::Bool(is_true)) => *is_true,
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(list)) => list.iter().any(|one| is_true(Some(one))),
        Some(Value::Object(fields)) => !fields.is_empty(),
    }
}

fn is_same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left == right || left.as_f64() == right.as_f64(),
        (left, right) => left == right,
    }
}

fn compare(
    left: Option<Value>,
    comparison: Comparison,
    right: Option<Value>,
) -> Result<Option<bool>, String> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let has_order = !matches!(comparison, Comparison::Equal | Comparison::NotEqual | Comparison::In);
    let (Some(left), Some(right)) = (left, right) else { return Ok((!has_order).then_some(false)) };
    match comparison {
        Comparison::Equal => return Ok(Some(is_same(&left, &right))),
        Comparison::NotEqual => return Ok(Some(!is_same(&left, &right))),
        Comparison::In => {
            let list = if let Value::Array(list) = right { list } else { vec![right] };
            return Ok(Some(list.iter().any(|one| is_same(one, &left))));
        }
        _ => {}
    }
    let order = match (&left, &right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64().partial_cmp(&right.as_f64()),
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        _ => return Err(format!("{left} and {right} cannot be compared: expected two numbers or two texts")),
    };
    Ok(Some(match comparison {
        Comparison::Less => order == Some(Less),
        Comparison::LessOrEqual => matches!(order, Some(Less | Equal)),
        Comparison::Greater => order == Some(Greater),
        _ => matches!(order, Some(Greater | Equal)),
    }))
}

fn call(function: Function, first: Option<Value>, second: Option<Value>) -> Result<Option<Value>, String> {
    match function {
        Function::Boolean => return Ok(first.map(|value| is_true(Some(&value)).into())),
        Function::Not => return Ok(first.map(|value| (!is_true(Some(&value))).into())),
        Function::Exists => return Ok(Some(first.is_some().into())),
        Function::Count => {
            let count = match first {
                None => 0,
                Some(Value::Array(list)) => list.len(),
                Some(_) => 1,
            };
            return Ok(Some(count.into()));
        }
        _ => {}
    }
    let Some(first) = first else { return Ok(None) };
    if function == Function::Text {
        return Ok(Some(crate::template::to_text(&first).into()));
    }
    if function == Function::Number && first.is_number() {
        return Ok(Some(first));
    }
    let Value::String(text) = first else {
        return Err(format!("{first} is no text, and {function:?} takes one"));
    };
    Ok(Some(match function {
        Function::Contains => match second {
            Some(Value::String(part)) => text.contains(&part).into(),
            other => return Err(format!("$contains: expected a text to look for, found {other:?}")),
        },
        Function::Length => text.chars().count().into(),
        Function::Lowercase => text.to_lowercase().into(),
        Function::Uppercase => text.to_uppercase().into(),
        _ => {
            let number = text.trim().parse::<f64>().ok().and_then(serde_json::Number::from_f64);
            Value::Number(number.ok_or_else(|| format!("$number: \"{text}\" is no number"))?)
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::Predicate;
    use serde_json::json;

    #[test]
    fn items_meet_conditions_as_jsonata_has_it() {
        let item = json!({ "name": "web-prod", "cpu": 91, "share": 0.5, "tags": ["a", "b"], "details": { "status": "active" },
            "ports": [{ "n": 80 }, { "n": 443 }], "empty": "", "none": null, "odd name": 1 });
        for (condition, expected) in [
            ("cpu > 80", true),
            ("cpu>=91 and cpu<=91.0", true),
            ("cpu = 91 and share != 1", true),
            ("name = 'web-prod'", true),
            ("name = 23", false),
            ("details.status = \"active\"", true),
            ("missing = 1", false),
            ("missing != 1", false),
            ("missing < 80", false),
            ("missing < 80 or cpu > 1", true),
            ("$contains(name, \"prod\")", true),
            ("$not($exists(missing))", true),
            ("\"a\" in tags", true),
            ("name in [\"x\", \"web-prod\"]", true),
            ("443 in ports.n", true),
            ("$count(tags) = 2", true),
            ("empty", false),
            ("none = null", true),
            ("$uppercase(name) = \"WEB-PROD\" and (cpu = 1 or share < 1)", true),
            ("`odd name` = 1", true),
            ("$number(\"3\") > -1", true),
            ("$.cpu = 91", true),
            ("true and false", false),
        ] {
            let read = Predicate::parse(condition).unwrap_or_else(|error| panic!("{condition}: {error}"));
            assert_eq!(read.holds(&item), Ok(expected), "{condition}");
        }
        assert_eq!(Predicate::parse("$ = \"beta\"").unwrap().holds(&json!("beta")), Ok(true));
    }

    #[test]
    fn what_is_not_understood_says_where() {
        for (condition, expected) in [
            ("", "at character 1: expected a value"),
            ("cpu >", "at character 6: expected a value"),
            ("cpu > 80 cpu", "at character 10: expected and, or, or the end"),
            ("cpu == 80", "at character 6: expected a value"),
            ("$sum(cpu) > 1", "at character 1: expected one of $boolean"),
            ("name = \"x", "at character 8: expected the end of the text"),
            ("cpu + 1 > 2", "at character 5: expected"),
        ] {
            let error = Predicate::parse(condition).unwrap_err();
            assert!(error.starts_with(expected), "{condition}: {error}");
        }
        let deep = format!("{}1{}", "(".repeat(5_000), ")".repeat(5_000));
        assert!(Predicate::parse(&deep).unwrap_err().contains("deeper than"));
        assert!(
            Predicate::parse("cpu > \"a\"")
                .unwrap()
                .holds(&json!({ "cpu": 1 }))
                .unwrap_err()
                .contains("cannot be compared")
        );
        assert!(Predicate::parse("0").unwrap().holds(&json!(1)).unwrap_err().contains("gives the number 0"));
    }
}
