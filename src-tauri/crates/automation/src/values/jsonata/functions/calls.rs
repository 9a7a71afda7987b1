//! Functions that take a function as an argument.

use crate::values::jsonata::machine::{Evaluation, Machine};
use crate::values::jsonata::operators::order;
use crate::values::jsonata::value::Val;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Calls the function with as many of the arguments as it takes.
fn call<'e>(machine: &mut Machine<'e>, function: &Val<'e>, mut arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let takes = match function {
        Val::Lambda(lambda) => lambda.parameters.len(),
        Val::Builtin(builtin) => builtin.takes(),
        other => return Err(format!("expected a function, found {}", other.kind())),
    };
    arguments.truncate(takes);
    machine.call(function, arguments, &Val::Nothing)
}

pub(super) fn map<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let [list, function] = arguments.as_slice() else { return Ok(Val::Nothing) };
    let mut found = Vec::new();
    for (place, item) in list.items().iter().enumerate() {
        let given = vec![item.clone(), Val::count(place), list.clone()];
        let value = call(machine, function, given)?;
        if !value.is_nothing() {
            found.push(value);
        }
    }
    Val::sequence(found)
}

pub(super) fn filter<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let [list, function] = arguments.as_slice() else { return Ok(Val::Nothing) };
    let mut found = Vec::new();
    for (place, item) in list.items().iter().enumerate() {
        let given = vec![item.clone(), Val::count(place), list.clone()];
        if call(machine, function, given)?.is_true() {
            found.push(item.clone());
        }
    }
    Val::sequence(found)
}

pub(super) fn reduce<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let [list, function, start] = arguments.as_slice() else { return Ok(Val::Nothing) };
    if let Val::Lambda(lambda) = function
        && lambda.parameters.len() < 2
    {
        return Err("expected a function of two arguments: what was gathered, and the next item".to_owned());
    }
    let mut items = list.items().iter().enumerate();
    let mut gathered = if start.is_nothing() {
        items.next().map_or(Val::Nothing, |(_, first)| first.clone())
    } else {
        start.clone()
    };
    for (place, item) in items {
        gathered = call(machine, function, vec![gathered, item.clone(), Val::count(place), list.clone()])?;
    }
    Ok(gathered)
}

pub(super) fn each<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let [object, function] = arguments.as_slice() else { return Ok(Val::Nothing) };
    let Val::Object(fields) = object else { return Ok(Val::Nothing) };
    let mut found = Vec::new();
    for (name, value) in &fields.fields {
        machine.fuel.text(name.len())?;
        let value = call(machine, function, vec![value.clone(), Val::text(name), object.clone()])?;
        if !value.is_nothing() {
            found.push(value);
        }
    }
    Val::sequence(found)
}

/// The fields for which a function returns true.
pub(super) fn sift<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let [object, function] = arguments.as_slice() else { return Ok(Val::Nothing) };
    let Val::Object(fields) = object else { return Ok(Val::Nothing) };
    let mut kept = BTreeMap::new();
    for (name, value) in &fields.fields {
        machine.fuel.text(name.len())?;
        if call(machine, function, vec![value.clone(), Val::text(name), object.clone()])?.is_true() {
            kept.insert(name.clone(), value.clone());
        }
    }
    if kept.is_empty() { Ok(Val::Nothing) } else { Val::object(kept) }
}

/// Sorts numbers or texts, or by a function that decides whether two items are swapped. A merge sort: no function can make it fail or run forever.
pub(super) fn sort<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let [list, function] = arguments.as_slice() else { return Ok(Val::Nothing) };
    if list.is_nothing() {
        return Ok(Val::Nothing);
    }
    let items = list.items().to_vec();
    machine.fuel.burn(items.len())?;
    Val::list(sorted(machine, items, function)?)
}

fn sorted<'e>(
    machine: &mut Machine<'e>,
    mut items: Vec<Val<'e>>,
    function: &Val<'e>,
) -> Result<Vec<Val<'e>>, String> {
    if items.len() < 2 {
        return Ok(items);
    }
    let second = items.split_off(items.len() / 2);
    let first = sorted(machine, items, function)?;
    let second = sorted(machine, second, function)?;
    let mut merged = Vec::with_capacity(first.len() + second.len());
    let (mut first, mut second) = (first.into_iter().peekable(), second.into_iter().peekable());
    while let (Some(one), Some(other)) = (first.peek(), second.peek()) {
        machine.fuel.burn(1)?;
        let is_after = if function.is_nothing() {
            order(one, other)? == Ordering::Greater
        } else {
            call(machine, function, vec![one.clone(), other.clone()])?.is_true()
        };
        merged.extend(if is_after { second.next() } else { first.next() });
    }
    merged.extend(first);
    merged.extend(second);
    Ok(merged)
}
