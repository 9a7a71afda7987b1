//! Parameters of cached plans: values of variables are filled in when a plan runs, so that a request with other values needs no new plan.
//!
//! The variables of a request have a shape ([`shape_of`]): everything except their texts and numbers, the leaves. A leaf that is only used
//! in comparisons or as a number of rows becomes a parameter wherever it is used: it is read again when the plan runs. The values of all
//! other leaves are part of the plan's key, because they may have affected the plan.

use super::arguments::offset;
use super::input::Input;
use super::scalar::read;
use crate::error::Path;
use crate::limits::PATTERN_BYTES;
use catalogue::{Catalogue, Column, Value};
use serde_json::{Map, Value as Json};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// The origin of a text or number in the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Part of the request's text.
    Request,
    /// A leaf of the variables, by its index.
    Leaf(usize),
    /// A substituted leaf, by the index of the use.
    Use(usize),
}

/// A parameter of a plan: a leaf, and how it is read.
#[derive(Debug)]
pub(crate) struct Parameter {
    leaf: usize,
    kind: Kind,
}

#[derive(Debug)]
pub(crate) enum Kind {
    /// A value of a column.
    Cell(Box<Column>),
    /// A pattern compared with a column.
    Pattern(Box<Column>),
    /// A number of rows.
    Count,
}

/// The parameters of the request being compiled.
#[derive(Default)]
pub(super) struct Parameters {
    /// Whether the compiled plans are cached.
    are_cached: bool,
    /// Whether the current part of the request interprets values itself and therefore gets no parameters.
    are_disabled: Cell<bool>,
    uses: RefCell<Vec<Use>>,
    made: RefCell<Vec<Parameter>>,
}

struct Use {
    leaf: usize,
    is_parameter: bool,
}

/// What a plan was made for, in addition to its text and the shape of its variables.
#[derive(Debug, Default)]
pub(crate) struct PlanShape {
    pub(crate) parameters: Vec<Parameter>,
    /// Leaves that are not parameters in all their uses, with their values.
    fixed: Vec<(usize, Json)>,
    /// The root field, or that there were several; reported to observers.
    pub(crate) operation: Arc<str>,
}

impl Parameters {
    pub(super) fn new(are_cached: bool) -> Self {
        Self { are_cached, ..Self::default() }
    }

    /// Enables or disables parameters for what is compiled from here on.
    pub(super) fn enable(&self, is_enabled: bool) {
        self.are_disabled.set(!is_enabled);
    }

    /// The value of a variable for one use.
    pub(super) fn record_use(&self, value: &Input) -> Input {
        let mut value = value.clone();
        let mut uses = self.uses.borrow_mut();
        value.mark(&mut |origin| match origin {
            Origin::Leaf(leaf) => {
                uses.push(Use { leaf, is_parameter: false });
                Origin::Use(uses.len() - 1)
            }
            other => other,
        });
        value
    }

    /// Creates a parameter for a leaf that has no other effect at this place. `None` for a value that is not a leaf of a variable.
    pub(super) fn add(&self, value: &Input, kind: impl FnOnce() -> Kind) -> Option<usize> {
        let Origin::Use(place) = value.origin() else { return None };
        if !self.are_cached || self.are_disabled.get() {
            return None;
        }
        let used = &mut self.uses.borrow_mut()[place];
        used.is_parameter = true;
        let mut parameters = self.made.borrow_mut();
        parameters.push(Parameter { leaf: used.leaf, kind: kind() });
        Some(parameters.len() - 1)
    }

    /// The plan's parameters and fixed values for these variables.
    pub(super) fn finish(self, variables: Option<&Map<String, Json>>, operation: Arc<str>) -> PlanShape {
        let mut fixed: Vec<usize> =
            self.uses.into_inner().iter().filter(|used| !used.is_parameter).map(|used| used.leaf).collect();
        fixed.sort_unstable();
        fixed.dedup();
        let leaves = shape_of(variables).1;
        let fixed = fixed.into_iter().map(|leaf| (leaf, leaves[leaf].clone())).collect();
        PlanShape { parameters: self.made.into_inner(), fixed, operation }
    }
}

impl PlanShape {
    /// Whether the plan was made for these leaves.
    pub(crate) fn is_for(&self, leaves: &[&Json]) -> bool {
        self.fixed.iter().all(|(leaf, value)| leaves.get(*leaf).is_some_and(|given| *given == value))
    }

    /// The values of the parameters; `None` if a leaf cannot be read as its parameter requires.
    pub(crate) fn values(&self, catalogue: &Catalogue, leaves: &[&Json]) -> Option<Vec<Value>> {
        self.parameters.iter().map(|parameter| parameter.value(catalogue, leaves)).collect()
    }

    /// Approximate memory use in bytes.
    pub(crate) fn weight(&self) -> usize {
        self.parameters.len() * (size_of::<Parameter>() + size_of::<Column>()) + self.fixed.len() * 64
    }
}

impl Parameter {
    fn value(&self, catalogue: &Catalogue, leaves: &[&Json]) -> Option<Value> {
        let value = Input::from(*leaves.get(self.leaf)?);
        match &self.kind {
            Kind::Cell(column) => read(catalogue, column, &value, &Path::ROOT).ok(),
            Kind::Pattern(column) => match &value {
                Input::Text(pattern) if pattern.len() > PATTERN_BYTES => None,
                value => read(catalogue, column, value, &Path::ROOT).ok(),
            },
            Kind::Count => Some(count(offset(&value, &Path::ROOT).ok()?)),
        }
    }
}

/// A number of rows as a bound value.
fn count(number: u64) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// The part of a column that a parameter needs for reading values.
pub(super) fn column_of(column: &Column) -> Column {
    Column {
        name: String::new(),
        description: String::new(),
        default: None,
        references: None,
        shared: None,
        ..column.clone()
    }
}

pub(super) fn cell(column: &Column) -> Kind {
    Kind::Cell(Box::new(column_of(column)))
}

/// The shape of a request's variables (all but their texts and numbers) as text, and the texts and numbers in order.
pub(crate) fn shape_of(variables: Option<&Map<String, Json>>) -> (String, Vec<&Json>) {
    let (mut text, mut leaves) = (String::new(), Vec::new());
    if let Some(variables) = variables.filter(|variables| !variables.is_empty()) {
        object(variables, &mut text, &mut leaves);
    }
    (text, leaves)
}

fn object<'a>(entries: &'a Map<String, Json>, text: &mut String, leaves: &mut Vec<&'a Json>) {
    text.push('{');
    for (name, value) in entries {
        // The length prefix makes the encoding unambiguous.
        text.push_str(&name.len().to_string());
        text.push(':');
        text.push_str(name);
        part(value, text, leaves);
    }
    text.push('}');
}

fn part<'a>(value: &'a Json, text: &mut String, leaves: &mut Vec<&'a Json>) {
    match value {
        Json::Null => text.push('0'),
        Json::Bool(true) => text.push('t'),
        Json::Bool(false) => text.push('f'),
        Json::Number(_) => {
            text.push('n');
            leaves.push(value);
        }
        Json::String(_) => {
            text.push('s');
            leaves.push(value);
        }
        Json::Array(members) => {
            text.push('[');
            for member in members {
                part(member, text, leaves);
            }
            text.push(']');
        }
        Json::Object(entries) => object(entries, text, leaves),
    }
}

#[cfg(test)]
mod tests {
    use super::shape_of;
    use serde_json::{Value, json};

    fn of(variables: &Value) -> (String, Vec<&Value>) {
        shape_of(variables.as_object())
    }

    #[test]
    fn values_have_no_shape_and_everything_else_has() {
        let shape = |variables: Value| of(&variables).0;
        assert_eq!(shape(json!({ "a": "x", "b": [1, 2] })), shape(json!({ "a": "y", "b": [3, 4] })));
        assert_eq!(shape(json!({})), "");
        let different = [
            json!({ "a": "x" }),
            json!({ "b": "x" }),
            json!({ "a": 1 }),
            json!({ "a": null }),
            json!({ "a": true }),
            json!({ "a": false }),
            json!({ "a": [] }),
            json!({ "a": ["x"] }),
            json!({ "a": ["x", "x"] }),
            json!({ "a": [["x"], "x"] }),
            json!({ "a": { "x": "x" } }),
            json!({ "a": {}, "x": "x" }),
            json!({ "as": 1, "b": 1 }),
            json!({ "as2:bn": 1 }),
        ];
        let shapes: std::collections::HashSet<String> = different.iter().map(|one| of(one).0).collect();
        assert_eq!(shapes.len(), different.len(), "{shapes:?}");
    }

    #[test]
    fn leaves_stand_in_the_order_of_the_variables() {
        let variables = json!({ "a": { "x": "1", "y": [2, null, "3"] }, "b": 4 });
        assert_eq!(of(&variables).1, [&json!("1"), &json!(2), &json!("3"), &json!(4)]);
    }
}
