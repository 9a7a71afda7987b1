//! Argument values with variables substituted: literals and variables are treated alike from here on. Texts and numbers remember the
//! variable they came from, so that a plan can use parameters for them ([`super::parameters`]).

use super::Compiler;
use super::parameters::Origin;
use crate::error::{GraphqlError, Path};
use crate::limits::LimitMeter;
use async_graphql_value::{ConstValue, Number, Value};

/// A value of the request. Enum names and strings are both `Text`, because clients use either.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Input {
    Null,
    Bool(bool),
    Number(TracedValue<Number>),
    Text(TracedValue<String>),
    List(Vec<Input>),
    Object(Vec<(String, Input)>),
}

/// A value and its origin. Dereferences to the value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TracedValue<T> {
    value: T,
    pub(super) origin: Origin,
}

impl<T> TracedValue<T> {
    pub(super) fn new(value: T, origin: Origin) -> Self {
        Self { value, origin }
    }
}

impl<T> std::ops::Deref for TracedValue<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: std::fmt::Display> std::fmt::Display for TracedValue<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.value.fmt(f)
    }
}

impl Input {
    fn text(text: impl Into<String>) -> Self {
        Self::Text(TracedValue::new(text.into(), Origin::Request))
    }

    pub(super) fn number(number: &Number) -> Self {
        Self::Number(TracedValue::new(number.clone(), Origin::Request))
    }

    /// Converts the value of a variable; calls `next` for every text and number in it, in order.
    pub(super) fn of_variable(value: &serde_json::Value, next: &mut impl FnMut() -> Origin) -> Self {
        use serde_json::Value as Json;
        match value {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(*value),
            Json::Number(number) => Self::Number(TracedValue::new(number.clone(), next())),
            Json::String(text) => Self::Text(TracedValue::new(text.clone(), next())),
            Json::Array(members) => {
                Self::List(members.iter().map(|member| Self::of_variable(member, next)).collect())
            }
            Json::Object(entries) => {
                let entry = |(name, value): (&String, _)| (name.clone(), Self::of_variable(value, next));
                Self::Object(entries.iter().map(entry).collect())
            }
        }
    }

    /// The origin of a text or number.
    pub(super) fn origin(&self) -> Origin {
        match self {
            Self::Text(text) => text.origin,
            Self::Number(number) => number.origin,
            _ => Origin::Request,
        }
    }

    /// Sets the origin of every text and number.
    pub(super) fn mark(&mut self, mark: &mut impl FnMut(Origin) -> Origin) {
        match self {
            Self::Null | Self::Bool(_) => {}
            Self::Number(number) => number.origin = mark(number.origin),
            Self::Text(text) => text.origin = mark(text.origin),
            Self::List(members) => members.iter_mut().for_each(|member| member.mark(mark)),
            Self::Object(entries) => entries.iter_mut().for_each(|(_, value)| value.mark(mark)),
        }
    }

    /// The value as text for error messages.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(value) => value.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => format!("\"{text}\""),
            Self::List(_) => "a list".to_owned(),
            Self::Object(_) => "an object".to_owned(),
        }
    }

    /// The elements of a list; a single value is a list of one.
    pub(crate) fn members(&self) -> &[Self] {
        match self {
            Self::List(members) => members,
            single => std::slice::from_ref(single),
        }
    }

    /// Reads each element of a list with its path; a single value has the path of the list.
    pub(super) fn each<T>(
        &self,
        path: &Path<'_>,
        read: impl Fn(&Self, &Path<'_>) -> Result<T, GraphqlError>,
    ) -> Result<Vec<T>, GraphqlError> {
        match self {
            Self::List(members) => members
                .iter()
                .enumerate()
                .map(|(place, member)| read(member, &path.join(&format!("[{place}]"))))
                .collect(),
            single => Ok(vec![read(single, path)?]),
        }
    }

    /// The entries of an object, or an error that names the actual value.
    pub(crate) fn entries(&self, path: &Path<'_>) -> Result<&[(String, Self)], GraphqlError> {
        match self {
            Self::Object(entries) => Ok(entries),
            other => Err(path.invalid(format!("expected an object, but found {}", other.describe()))),
        }
    }

    /// The value as JSON.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Null => serde_json::Value::Null,
            Self::Bool(value) => (*value).into(),
            Self::Number(number) => Number::clone(number).into(),
            Self::Text(text) => text.as_str().into(),
            Self::List(members) => members.iter().map(Self::to_json).collect(),
            Self::Object(entries) => {
                entries.iter().map(|(name, value)| (name.clone(), value.to_json())).collect()
            }
        }
    }
}

impl From<&serde_json::Value> for Input {
    fn from(value: &serde_json::Value) -> Self {
        Self::of_variable(value, &mut || Origin::Request)
    }
}

impl From<&ConstValue> for Input {
    fn from(value: &ConstValue) -> Self {
        match value {
            ConstValue::Null | ConstValue::Binary(_) => Self::Null,
            ConstValue::Boolean(value) => Self::Bool(*value),
            ConstValue::Number(number) => Self::number(number),
            ConstValue::String(text) => Self::text(text),
            ConstValue::Enum(name) => Self::text(name.as_str()),
            ConstValue::List(members) => Self::List(members.iter().map(Into::into).collect()),
            ConstValue::Object(entries) => {
                Self::Object(entries.iter().map(|(name, value)| (name.to_string(), value.into())).collect())
            }
        }
    }
}

impl Compiler<'_> {
    /// The value with its variables substituted; `None` for an omitted variable.
    pub(super) fn input(&self, value: &Value, path: &Path<'_>) -> Result<Option<Input>, GraphqlError> {
        if !matches!(value, Value::Variable(_)) {
            self.spent.value(if let Value::String(text) = value { text.len() } else { 0 }, path)?;
        }
        Ok(Some(match value {
            Value::Variable(name) => match self.variables.get(name.as_str()) {
                Some(Some(value)) => {
                    self.spent.variable(value, path)?;
                    return Ok(Some(self.parameters.record_use(value)));
                }
                Some(None) => return Ok(None),
                None => return Err(path.invalid(format!("unbound variable \"{name}\""))),
            },
            Value::Null | Value::Binary(_) => Input::Null,
            Value::Boolean(value) => Input::Bool(*value),
            Value::Number(number) => Input::number(number),
            Value::String(text) => Input::text(text),
            Value::Enum(name) => Input::text(name.as_str()),
            Value::List(members) => Input::List(
                members
                    .iter()
                    .map(|member| Ok(self.input(member, path)?.unwrap_or(Input::Null)))
                    .collect::<Result<_, GraphqlError>>()?,
            ),
            Value::Object(entries) => {
                let mut known = Vec::with_capacity(entries.len());
                for (name, value) in entries {
                    if let Some(value) = self.input(value, &path.join(name.as_str()))? {
                        known.push((name.to_string(), value));
                    }
                }
                Input::Object(known)
            }
        }))
    }
}

impl LimitMeter {
    /// Counts the value of a variable before it is substituted.
    fn variable(&self, value: &Input, path: &Path<'_>) -> Result<(), GraphqlError> {
        match value {
            Input::Null | Input::Bool(_) | Input::Number(_) => self.value(0, path),
            Input::Text(text) => self.value(text.len(), path),
            Input::List(members) => {
                self.value(0, path)?;
                members.iter().try_for_each(|member| self.variable(member, path))
            }
            Input::Object(entries) => {
                self.value(0, path)?;
                entries.iter().try_for_each(|(name, value)| {
                    self.value(name.len(), path)?;
                    self.variable(value, path)
                })
            }
        }
    }
}
