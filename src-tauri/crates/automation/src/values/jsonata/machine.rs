//! Evaluates an expression for an input.

use super::operators;
use super::tree::{Node, Operator, Path, SortTerm, Step};
use super::value::{Fuel, Lambda, Val, from_json};
use super::{DEEPEST, FUEL};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Variables by name, and the enclosing scope.
#[derive(Default)]
struct Scope<'e> {
    outer: Option<usize>,
    variables: BTreeMap<&'e str, Val<'e>>,
}

pub(super) struct Machine<'e> {
    root: Val<'e>,
    /// All scopes created: a function stores its defining scope as an index.
    scopes: Vec<Scope<'e>>,
    pub fuel: Fuel,
    depth: u32,
}

pub(super) type Evaluation<'e> = Result<Val<'e>, String>;

impl<'e> Machine<'e> {
    pub(super) fn new(root: Val<'e>) -> Self {
        Self { root, scopes: vec![Scope::default()], fuel: Fuel(FUEL), depth: 0 }
    }

    pub(super) fn evaluate(&mut self, node: &'e Node, context: &Val<'e>, scope: usize) -> Evaluation<'e> {
        self.fuel.burn(1)?;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("the expression calls itself deeper than {DEEPEST} levels"));
        }
        let found = self.evaluate_node(node, context, scope);
        self.depth -= 1;
        found
    }

    fn evaluate_node(&mut self, node: &'e Node, context: &Val<'e>, scope: usize) -> Evaluation<'e> {
        match node {
            Node::Literal(value) => from_json(value, 0),
            Node::Pattern(pattern) => Ok(Val::Pattern(pattern)),
            Node::Field(name) => self.field(context, name),
            Node::Wildcard => self.wildcard(context),
            Node::Descendants => {
                let mut found = Vec::new();
                self.descend(context, &mut found)?;
                Val::sequence(found)
            }
            Node::Context => Ok(context.clone()),
            Node::Root => Ok(self.root.clone()),
            Node::Variable(name) => Ok(self.variable(name, scope)),
            Node::Builtin(builtin) => Ok(Val::Builtin(builtin)),
            Node::Path(path) => self.path(path, context, scope),
            Node::Filtered(node, filters) => {
                let found = self.evaluate(node, context, scope)?;
                self.filter(found, filters, scope)
            }
            Node::Grouped(node, pairs) => {
                let found = self.evaluate(node, context, scope)?;
                if found.is_nothing() { Ok(found) } else { self.group(pairs, &found, scope) }
            }
            Node::Sorted(node, terms) => {
                let found = self.evaluate(node, context, scope)?;
                self.sort_by(found, terms, scope)
            }
            Node::Negated(node) => operators::negated(&self.evaluate(node, context, scope)?),
            Node::Binary(operator, left, right) => self.binary(*operator, (left, right), context, scope),
            Node::List(nodes) => self.list(nodes, context, scope),
            Node::Object(pairs) => self.group(pairs, context, scope),
            Node::Block(nodes) => {
                let inner = self.open(scope);
                let mut last = Val::Nothing;
                for node in nodes {
                    last = self.evaluate(node, context, inner)?;
                }
                Ok(last)
            }
            Node::Assigned(name, node) => {
                let value = self.evaluate(node, context, scope)?;
                self.scopes[scope].variables.insert(name, value.clone());
                Ok(value)
            }
            Node::Choice(condition, then, other) => {
                if self.evaluate(condition, context, scope)?.is_true() {
                    return self.evaluate(then, context, scope);
                }
                other.as_ref().map_or(Ok(Val::Nothing), |other| self.evaluate(other, context, scope))
            }
            Node::Lambda(parameters, body) => {
                Ok(Val::Lambda(Rc::new(Lambda { parameters, body, scope, context: context.clone() })))
            }
            Node::Call(callee, arguments) => {
                let function = self.evaluate(callee, context, scope)?;
                let arguments = self.all(arguments, context, scope)?;
                self.call(&function, arguments, context)
            }
        }
    }

    fn all(&mut self, nodes: &'e [Node], context: &Val<'e>, scope: usize) -> Result<Vec<Val<'e>>, String> {
        nodes.iter().map(|node| self.evaluate(node, context, scope)).collect()
    }

    fn open(&mut self, outer: usize) -> usize {
        self.scopes.push(Scope { outer: Some(outer), variables: BTreeMap::new() });
        self.scopes.len() - 1
    }

    fn variable(&self, name: &str, scope: usize) -> Val<'e> {
        let mut next = Some(scope);
        while let Some(place) = next {
            if let Some(value) = self.scopes[place].variables.get(name) {
                return value.clone();
            }
            next = self.scopes[place].outer;
        }
        Val::Nothing
    }

    /// The field of an object, or the fields of a list's objects as one sequence.
    fn field(&mut self, context: &Val<'e>, name: &str) -> Evaluation<'e> {
        match context {
            Val::Object(object) => Ok(object.fields.get(name).cloned().unwrap_or(Val::Nothing)),
            Val::List(list) => {
                let mut found = Vec::new();
                for item in &list.items {
                    self.fuel.burn(1)?;
                    let one = self.field(item, name)?;
                    self.append(&mut found, one)?;
                }
                Val::sequence(found)
            }
            _ => Ok(Val::Nothing),
        }
    }

    fn wildcard(&mut self, context: &Val<'e>) -> Evaluation<'e> {
        let mut found = Vec::new();
        for item in context.items() {
            if let Val::Object(object) = item {
                for value in object.fields.values() {
                    self.append(&mut found, value.clone())?;
                }
            }
        }
        Val::sequence(found)
    }

    fn descend(&mut self, value: &Val<'e>, found: &mut Vec<Val<'e>>) -> Result<(), String> {
        self.fuel.burn(1)?;
        match value {
            Val::Nothing => {}
            Val::List(list) => {
                for item in &list.items {
                    self.descend(item, found)?;
                }
            }
            Val::Object(object) => {
                found.push(value.clone());
                for value in object.fields.values() {
                    self.descend(value, found)?;
                }
            }
            other => found.push(other.clone()),
        }
        Ok(())
    }

    /// Appends a value to a sequence: a list item by item.
    pub(super) fn append(&mut self, found: &mut Vec<Val<'e>>, value: Val<'e>) -> Result<(), String> {
        self.fuel.burn(value.items().len())?;
        match value {
            Val::Nothing => {}
            Val::List(list) => found.extend(list.items.iter().cloned()),
            one => found.push(one),
        }
        Ok(())
    }

    fn path(&mut self, path: &'e Path, context: &Val<'e>, scope: usize) -> Evaluation<'e> {
        let mut found = context.clone();
        for (place, step) in path.steps.iter().enumerate() {
            // Steps other than fields take the context as a whole.
            let is_whole = matches!(
                step.node,
                Node::Context | Node::Root | Node::Variable(_) | Node::Sorted(..) | Node::Grouped(..)
            );
            let is_last = place + 1 == path.steps.len();
            found = if place == 0 && is_whole {
                let value = self.evaluate(&step.node, &found, scope)?;
                self.filter(value, &step.filters, scope)?
            } else {
                self.step(step, &found, scope, is_last)?
            };
            if found.is_nothing() {
                break;
            }
        }
        match found {
            Val::List(_) | Val::Nothing => Ok(found),
            one if path.keeps_list => Val::list(vec![one]),
            one => Ok(one),
        }
    }

    /// The results of a step for each item, as one sequence. List literals stay lists.
    fn step(&mut self, step: &'e Step, input: &Val<'e>, scope: usize, is_last: bool) -> Evaluation<'e> {
        let makes_list = matches!(step.node, Node::List(_));
        let mut results = Vec::new();
        for item in input.items() {
            let value = self.evaluate(&step.node, item, scope)?;
            let value = self.filter(value, &step.filters, scope)?;
            if !value.is_nothing() {
                results.push(value);
            }
        }
        if is_last && results.len() == 1 {
            return Ok(results.remove(0));
        }
        let mut found = Vec::new();
        for result in results {
            if makes_list {
                found.push(result);
            } else {
                self.append(&mut found, result)?;
            }
        }
        Val::sequence(found)
    }

    /// Filters a value by index or by condition.
    fn filter(&mut self, value: Val<'e>, filters: &'e [Node], scope: usize) -> Evaluation<'e> {
        let mut value = value;
        for filter in filters {
            let mut found = Vec::new();
            let count = value.items().len();
            if let Node::Literal(serde_json::Value::Number(number)) = filter {
                let place = number.as_f64().and_then(|place| index(place, count));
                if let Some(item) = place.map(|place| value.items()[place].clone()) {
                    value = item;
                } else {
                    return Ok(Val::Nothing);
                }
                continue;
            }
            for (place, item) in value.items().iter().enumerate() {
                let condition = self.evaluate(filter, item, scope)?;
                let numbers: Option<Vec<f64>> = condition.items().iter().map(Val::as_f64).collect();
                let is_kept = match numbers.filter(|numbers| !numbers.is_empty()) {
                    Some(places) => places.iter().any(|one| index(*one, count) == Some(place)),
                    None => condition.is_true(),
                };
                if is_kept {
                    found.push(item.clone());
                }
            }
            value = Val::sequence(found)?;
        }
        Ok(value)
    }

    /// An object with a value for each key; the items with the same key are the context of one value.
    fn group(&mut self, pairs: &'e [(Node, Node)], input: &Val<'e>, scope: usize) -> Evaluation<'e> {
        let nothing = [Val::Nothing];
        let items = if input.items().is_empty() { &nothing[..] } else { input.items() };
        let mut groups: BTreeMap<String, (usize, Vec<Val<'e>>)> = BTreeMap::new();
        for item in items {
            for (place, (key, _)) in pairs.iter().enumerate() {
                let key = match self.evaluate(key, item, scope)? {
                    Val::Text(key) => key.to_string(),
                    Val::Nothing => continue,
                    other => return Err(format!("a key of an object is {}: expected a text", other.kind())),
                };
                self.fuel.text(key.len())?;
                let group = groups.entry(key).or_insert_with(|| (place, Vec::new()));
                if group.0 != place {
                    return Err("a key of an object is given twice".to_owned());
                }
                self.append(&mut group.1, item.clone())?;
            }
        }
        let mut fields = BTreeMap::new();
        for (key, (place, items)) in groups {
            let context = Val::sequence(items)?;
            let value = self.evaluate(&pairs[place].1, &context, scope)?;
            if !value.is_nothing() {
                fields.insert(key, value);
            }
        }
        Val::object(fields)
    }

    fn list(&mut self, nodes: &'e [Node], context: &Val<'e>, scope: usize) -> Evaluation<'e> {
        let mut items = Vec::new();
        for node in nodes {
            let value = self.evaluate(node, context, scope)?;
            if matches!(node, Node::List(_)) {
                self.fuel.burn(1)?;
                items.push(value);
            } else {
                self.append(&mut items, value)?;
            }
        }
        Val::list(items)
    }

    fn sort_by(&mut self, value: Val<'e>, terms: &'e [SortTerm], scope: usize) -> Evaluation<'e> {
        let mut keyed = Vec::new();
        for item in value.items() {
            let mut keys = Vec::new();
            for term in terms {
                keys.push(self.evaluate(&term.node, item, scope)?);
            }
            keyed.push((keys, item.clone()));
        }
        self.fuel.burn(keyed.len() * 16)?;
        let mut failure = None;
        keyed.sort_by(|(one, _), (other, _)| {
            for ((one, other), term) in one.iter().zip(other).zip(terms) {
                let order = operators::order_of_keys(one, other).unwrap_or_else(|reason| {
                    failure = Some(reason);
                    Ordering::Equal
                });
                if order != Ordering::Equal {
                    return if term.is_descending { order.reverse() } else { order };
                }
            }
            Ordering::Equal
        });
        match failure {
            Some(reason) => Err(reason),
            None => Val::sequence(keyed.into_iter().map(|(_, item)| item).collect()),
        }
    }

    fn binary(
        &mut self,
        operator: Operator,
        (left, right): (&'e Node, &'e Node),
        context: &Val<'e>,
        scope: usize,
    ) -> Evaluation<'e> {
        if operator == Operator::Apply {
            return self.apply(left, right, context, scope);
        }
        let left = self.evaluate(left, context, scope)?;
        match operator {
            Operator::And if !left.is_true() => return Ok(Val::Bool(false)),
            Operator::Or if left.is_true() => return Ok(Val::Bool(true)),
            Operator::Coalesce if !left.is_nothing() => return Ok(left),
            Operator::Otherwise if left.is_true() => return Ok(left),
            _ => {}
        }
        let right = self.evaluate(right, context, scope)?;
        match operator {
            Operator::And | Operator::Or => Ok(Val::Bool(right.is_true())),
            Operator::Coalesce | Operator::Otherwise => Ok(right),
            Operator::Concatenate => {
                let (left, right) = (self.text_of(&left)?, self.text_of(&right)?);
                self.fuel.text(left.len() + right.len())?;
                Ok(Val::text(left + &right))
            }
            Operator::Range => operators::range(&left, &right, &mut self.fuel),
            operator => operators::binary(operator, &left, &right),
        }
    }

    /// `value ~> $function` and `value ~> $function(more)`.
    fn apply(&mut self, left: &'e Node, right: &'e Node, context: &Val<'e>, scope: usize) -> Evaluation<'e> {
        let value = self.evaluate(left, context, scope)?;
        if value.is_function() {
            return Err("~> between two functions is not carried out here: give a value first".to_owned());
        }
        let (function, mut arguments) = match right {
            Node::Call(callee, arguments) => {
                (self.evaluate(callee, context, scope)?, self.all(arguments, context, scope)?)
            }
            other => (self.evaluate(other, context, scope)?, Vec::new()),
        };
        arguments.insert(0, value);
        self.call(&function, arguments, context)
    }

    /// Calls a function. `context` is the argument of text functions that are given none.
    pub(super) fn call(
        &mut self,
        function: &Val<'e>,
        arguments: Vec<Val<'e>>,
        context: &Val<'e>,
    ) -> Evaluation<'e> {
        match function {
            Val::Builtin(builtin) => builtin.call(self, arguments, context),
            Val::Lambda(lambda) => {
                let scope = self.open(lambda.scope);
                let mut arguments = arguments.into_iter();
                for name in lambda.parameters {
                    let value = arguments.next().unwrap_or(Val::Nothing);
                    self.scopes[scope].variables.insert(name, value);
                }
                self.evaluate(lambda.body, &lambda.context, scope)
            }
            other => Err(format!("{} is called: expected a function", other.kind())),
        }
    }

    /// Converts as `$string` and `&` do: a text unchanged, everything else as JSON, undefined as an empty text.
    pub(super) fn text_of(&mut self, value: &Val<'e>) -> Result<String, String> {
        if let Val::Text(text) = value {
            return Ok(text.to_string());
        }
        let json = super::value::to_json(value, &mut self.fuel)?;
        Ok(json.map(|json| json.to_string()).unwrap_or_default())
    }
}

/// An index into a list of `count` items; negative ones count from the end.
fn index(place: f64, count: usize) -> Option<usize> {
    let place = place.floor();
    if place.abs() > 9e15 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "a whole number within 2^53")]
    let place = place as i64;
    let count = i64::try_from(count).ok()?;
    let place = if place < 0 { count + place } else { place };
    usize::try_from(place).ok().filter(|_| place < count)
}
