//! Functions of objects, and of values of any type.

use super::text;
use crate::values::jsonata::machine::{Evaluation, Machine};
use crate::values::jsonata::value::Val;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn boolean<'e>(_: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let value = &arguments[0];
    Ok(if value.is_nothing() { Val::Nothing } else { Val::Bool(value.is_true()) })
}

pub(super) fn not<'e>(_: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let value = &arguments[0];
    Ok(if value.is_nothing() { Val::Nothing } else { Val::Bool(!value.is_true()) })
}

pub(super) fn exists<'e>(_: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    Ok(Val::Bool(!arguments[0].is_nothing()))
}

pub(super) fn kind<'e>(_: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    Ok(match &arguments[0] {
        Val::Nothing => Val::Nothing,
        Val::Null => Val::text("null"),
        Val::Bool(_) => Val::text("boolean"),
        Val::Number(_) => Val::text("number"),
        Val::Text(_) => Val::text("string"),
        Val::List(_) => Val::text("array"),
        Val::Object(_) => Val::text("object"),
        Val::Lambda(_) | Val::Builtin(_) | Val::Pattern(_) => Val::text("function"),
    })
}

pub(super) fn keys<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let mut names = BTreeSet::new();
    for item in arguments[0].items() {
        if let Val::Object(object) = item {
            for name in object.fields.keys() {
                machine.fuel.text(name.len())?;
                names.insert(name.as_str());
            }
        }
    }
    Val::sequence(names.into_iter().map(Val::text).collect())
}

pub(super) fn lookup<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let Some(name) = text(&arguments[1])? else { return Ok(Val::Nothing) };
    let mut found = Vec::new();
    for item in arguments[0].items() {
        if let Val::Object(object) = item
            && let Some(value) = object.fields.get(name)
        {
            machine.append(&mut found, value.clone())?;
        }
    }
    Val::sequence(found)
}

pub(super) fn merge<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    if arguments[0].is_nothing() {
        return Ok(Val::Nothing);
    }
    let mut fields = BTreeMap::new();
    for item in arguments[0].items() {
        let Val::Object(object) = item else {
            return Err(format!("expected a list of objects, found {} in it", item.kind()));
        };
        for (name, value) in &object.fields {
            machine.fuel.text(name.len())?;
            fields.insert(name.clone(), value.clone());
        }
    }
    Val::object(fields)
}

/// A list with one object for each field.
pub(super) fn spread<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let mut found = Vec::new();
    for item in arguments[0].items() {
        let Val::Object(object) = item else {
            found.push(item.clone());
            continue;
        };
        for (name, value) in &object.fields {
            machine.fuel.text(name.len())?;
            found.push(Val::object(BTreeMap::from([(name.clone(), value.clone())]))?);
        }
    }
    Val::sequence(found)
}

pub(super) fn error<'e>(_: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    Err(text(&arguments[0])?.unwrap_or("the expression ended with an error").to_owned())
}

pub(super) fn assert<'e>(_: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    match &arguments[0] {
        Val::Bool(true) => Ok(Val::Nothing),
        Val::Bool(false) => Err(text(&arguments[1])?.unwrap_or("the condition does not hold").to_owned()),
        other => Err(format!("expected a boolean, found {}", other.kind())),
    }
}
