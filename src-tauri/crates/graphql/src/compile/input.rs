//! Argument values with variables put in: literals and variables look alike from here on.

use super::Compiler;
use crate::error::{GraphqlError, Path};
use async_graphql_value::{ConstValue, Number, Value};

/// A value of the request. Enum names and strings are both `Text`: clients write either.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Input {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Input>),
    Object(Vec<(String, Input)>),
}

impl Input {
    /// The word for error messages.
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

    /// The members of a list; one value is a list of one.
    pub(crate) fn members(&self) -> &[Self] {
        match self {
            Self::List(members) => members,
            single => std::slice::from_ref(single),
        }
    }

    /// The entries of an object, or an error that says what came instead.
    pub(crate) fn entries(&self, path: &Path<'_>) -> Result<&[(String, Self)], GraphqlError> {
        match self {
            Self::Object(entries) => Ok(entries),
            other => Err(path.invalid(format!("expected an object, but found {}", other.describe()))),
        }
    }

    /// The same value as JSON.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Null => serde_json::Value::Null,
            Self::Bool(value) => (*value).into(),
            Self::Number(number) => number.clone().into(),
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
        use serde_json::Value as Json;
        match value {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(*value),
            Json::Number(number) => Self::Number(number.clone()),
            Json::String(text) => Self::Text(text.clone()),
            Json::Array(members) => Self::List(members.iter().map(Into::into).collect()),
            Json::Object(entries) => {
                Self::Object(entries.iter().map(|(name, value)| (name.clone(), value.into())).collect())
            }
        }
    }
}

impl From<&ConstValue> for Input {
    fn from(value: &ConstValue) -> Self {
        match value {
            ConstValue::Null | ConstValue::Binary(_) => Self::Null,
            ConstValue::Boolean(value) => Self::Bool(*value),
            ConstValue::Number(number) => Self::Number(number.clone()),
            ConstValue::String(text) => Self::Text(text.clone()),
            ConstValue::Enum(name) => Self::Text(name.to_string()),
            ConstValue::List(members) => Self::List(members.iter().map(Into::into).collect()),
            ConstValue::Object(entries) => {
                Self::Object(entries.iter().map(|(name, value)| (name.to_string(), value.into())).collect())
            }
        }
    }
}

impl Compiler<'_> {
    /// The value with its variables put in; `None` for a variable that was left out.
    pub(super) fn input(&self, value: &Value, path: &Path<'_>) -> Result<Option<Input>, GraphqlError> {
        if !matches!(value, Value::Variable(_)) {
            self.spent.value(if let Value::String(text) = value { text.len() } else { 0 }, path)?;
        }
        Ok(Some(match value {
            Value::Variable(name) => match self.variables.get(name.as_str()) {
                Some(Some(value)) => {
                    self.spent.variable(value, path)?;
                    return Ok(Some(value.clone()));
                }
                Some(None) => return Ok(None),
                None => return Err(path.invalid(format!("unbound variable \"{name}\""))),
            },
            Value::Null | Value::Binary(_) => Input::Null,
            Value::Boolean(value) => Input::Bool(*value),
            Value::Number(number) => Input::Number(number.clone()),
            Value::String(text) => Input::Text(text.clone()),
            Value::Enum(name) => Input::Text(name.to_string()),
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
