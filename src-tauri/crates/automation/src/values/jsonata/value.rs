//! Values during evaluation: shared, so copies are cheap, and with limited nesting, so that dropping them cannot overflow the stack.

use super::DEEPEST_VALUE;
use super::functions::Builtin;
use super::tree::Node;
use regex::Regex;
use serde_json::{Map, Number, Value};
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Debug, Clone)]
pub(super) enum Val<'e> {
    /// Undefined.
    Nothing,
    Null,
    Bool(bool),
    Number(Number),
    Text(Rc<str>),
    List(Rc<List<'e>>),
    Object(Rc<Object<'e>>),
    Lambda(Rc<Lambda<'e>>),
    Builtin(&'static Builtin),
    Pattern(&'e Regex),
}

#[derive(Debug)]
pub(super) struct List<'e> {
    pub items: Vec<Val<'e>>,
    depth: u32,
}

#[derive(Debug)]
pub(super) struct Object<'e> {
    pub fields: BTreeMap<String, Val<'e>>,
    depth: u32,
}

#[derive(Debug)]
pub(super) struct Lambda<'e> {
    pub parameters: &'e [String],
    pub body: &'e Node,
    pub scope: usize,
    pub context: Val<'e>,
}

pub(super) fn too_deep() -> String {
    format!("values are nested deeper than {DEEPEST_VALUE} levels")
}

impl Val<'_> {
    pub(super) fn text(text: impl AsRef<str>) -> Self {
        Self::Text(Rc::from(text.as_ref()))
    }

    /// A whole number is stored as an integer.
    pub(super) fn number(number: f64) -> Result<Self, String> {
        const WHOLE: f64 = 9_007_199_254_740_992.0;
        #[expect(clippy::cast_possible_truncation, reason = "a whole number within 2^53")]
        let number = if number.fract() == 0.0 && number.abs() <= WHOLE {
            Some(Number::from(number as i64))
        } else {
            Number::from_f64(number)
        };
        number.map(Self::Number).ok_or_else(|| "a number came out that is none".to_owned())
    }

    pub(super) fn count(count: usize) -> Self {
        Self::Number(Number::from(count))
    }

    pub(super) fn list(items: Vec<Self>) -> Result<Self, String> {
        let depth = 1 + items.iter().map(Self::depth).max().unwrap_or_default();
        if depth > DEEPEST_VALUE { Err(too_deep()) } else { Ok(Self::List(Rc::new(List { items, depth }))) }
    }

    pub(super) fn object(fields: BTreeMap<String, Self>) -> Result<Self, String> {
        let depth = 1 + fields.values().map(Self::depth).max().unwrap_or_default();
        if depth > DEEPEST_VALUE {
            Err(too_deep())
        } else {
            Ok(Self::Object(Rc::new(Object { fields, depth })))
        }
    }

    /// The result of a path: undefined, the single value, or a list.
    pub(super) fn sequence(mut items: Vec<Self>) -> Result<Self, String> {
        match items.len() {
            0 => Ok(Self::Nothing),
            1 => Ok(items.remove(0)),
            _ => Self::list(items),
        }
    }

    fn depth(&self) -> u32 {
        match self {
            Self::List(list) => list.depth,
            Self::Object(object) => object.depth,
            Self::Lambda(lambda) => lambda.context.depth() + 1,
            _ => 0,
        }
    }

    pub(super) fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    pub(super) fn is_function(&self) -> bool {
        matches!(self, Self::Lambda(_) | Self::Builtin(_))
    }

    pub(super) fn as_f64(&self) -> Option<f64> {
        if let Self::Number(number) = self { number.as_f64() } else { None }
    }

    pub(super) fn is_true(&self) -> bool {
        match self {
            Self::Bool(is_true) => *is_true,
            Self::Number(number) => number.as_f64() != Some(0.0),
            Self::Text(text) => !text.is_empty(),
            Self::List(list) => list.items.iter().any(Self::is_true),
            Self::Object(object) => !object.fields.is_empty(),
            Self::Nothing | Self::Null | Self::Lambda(_) | Self::Builtin(_) | Self::Pattern(_) => false,
        }
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(one), Self::Bool(other)) => one == other,
            (Self::Number(one), Self::Number(other)) => one == other || one.as_f64() == other.as_f64(),
            (Self::Text(one), Self::Text(other)) => one == other,
            (Self::List(one), Self::List(other)) => {
                one.items.len() == other.items.len()
                    && one.items.iter().zip(&other.items).all(|(one, other)| one.is_same(other))
            }
            (Self::Object(one), Self::Object(other)) => {
                one.fields.len() == other.fields.len()
                    && one
                        .fields
                        .iter()
                        .zip(&other.fields)
                        .all(|((key, one), (other_key, other))| key == other_key && one.is_same(other))
            }
            _ => false,
        }
    }

    /// The items of a list; a single value counts as a list of one, undefined as an empty list.
    pub(super) fn items(&self) -> &[Self] {
        match self {
            Self::Nothing => &[],
            Self::List(list) => &list.items,
            one => std::slice::from_ref(one),
        }
    }

    /// The type name for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
            Self::Lambda(_) | Self::Builtin(_) => "a function",
            Self::Pattern(_) => "a pattern",
        }
    }
}

pub(super) fn from_json<'e>(value: &Value, depth: u32) -> Result<Val<'e>, String> {
    if depth > DEEPEST_VALUE {
        return Err(too_deep());
    }
    Ok(match value {
        Value::Null => Val::Null,
        Value::Bool(is_true) => Val::Bool(*is_true),
        Value::Number(number) => Val::Number(number.clone()),
        Value::String(text) => Val::text(text),
        Value::Array(list) => {
            Val::list(list.iter().map(|one| from_json(one, depth + 1)).collect::<Result<_, _>>()?)?
        }
        Value::Object(fields) => {
            let field = |(key, value): (&String, &Value)| Ok((key.clone(), from_json(value, depth + 1)?));
            Val::object(fields.iter().map(field).collect::<Result<_, String>>()?)?
        }
    })
}

/// Shared parts are copied, so each copy is charged. A function is omitted, as in JSON.
pub(super) fn to_json(value: &Val<'_>, fuel: &mut Fuel) -> Result<Option<Value>, String> {
    fuel.burn(1)?;
    Ok(Some(match value {
        Val::Nothing | Val::Lambda(_) | Val::Builtin(_) | Val::Pattern(_) => return Ok(None),
        Val::Null => Value::Null,
        Val::Bool(is_true) => Value::Bool(*is_true),
        Val::Number(number) => Value::Number(number.clone()),
        Val::Text(text) => {
            fuel.text(text.len())?;
            Value::String(text.to_string())
        }
        Val::List(list) => {
            let mut items = Vec::new();
            for item in &list.items {
                items.extend(to_json(item, fuel)?);
            }
            Value::Array(items)
        }
        Val::Object(object) => {
            let mut fields = Map::new();
            for (key, value) in &object.fields {
                fuel.text(key.len())?;
                if let Some(value) = to_json(value, fuel)? {
                    fields.insert(key.clone(), value);
                }
            }
            Value::Object(fields)
        }
    }))
}

/// Remaining work.
#[derive(Debug)]
pub(super) struct Fuel(pub u64);

impl Fuel {
    pub(super) fn burn(&mut self, steps: usize) -> Result<(), String> {
        let steps = u64::try_from(steps).unwrap_or(u64::MAX);
        match self.0.checked_sub(steps) {
            Some(left) => {
                self.0 = left;
                Ok(())
            }
            None => Err(format!("it took more than {} steps", super::FUEL)),
        }
    }

    /// Charges for a text of that many bytes.
    pub(super) fn text(&mut self, bytes: usize) -> Result<(), String> {
        self.burn(1 + bytes / 16)
    }
}
