//! Functions of lists.

use crate::values::jsonata::machine::{Evaluation, Machine};
use crate::values::jsonata::value::Val;

pub(super) fn count<'e>(_: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    Ok(Val::count(arguments[0].items().len()))
}

pub(super) fn append<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let [one, other] = arguments.as_slice() else { return Ok(Val::Nothing) };
    if one.is_nothing() {
        return Ok(other.clone());
    }
    if other.is_nothing() {
        return Ok(one.clone());
    }
    let mut items = Vec::new();
    machine.append(&mut items, one.clone())?;
    machine.append(&mut items, other.clone())?;
    Val::list(items)
}

pub(super) fn reverse<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let Val::List(list) = &arguments[0] else { return Ok(arguments[0].clone()) };
    machine.fuel.burn(list.items.len())?;
    Val::list(list.items.iter().rev().cloned().collect())
}

pub(super) fn distinct<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let Val::List(list) = &arguments[0] else { return Ok(arguments[0].clone()) };
    let mut kept: Vec<Val<'e>> = Vec::new();
    for item in &list.items {
        machine.fuel.burn(1 + kept.len())?;
        if !kept.iter().any(|one| one.is_same(item)) {
            kept.push(item.clone());
        }
    }
    Val::list(kept)
}

/// Lists of the first items, of the second items and so on, up to the shortest list.
pub(super) fn zip<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    // Omitted arguments at the end are undefined.
    let given = arguments.iter().rposition(|one| !one.is_nothing()).map_or(0, |last| last + 1);
    let lists = &arguments[..given];
    let shortest = lists.iter().map(|list| list.items().len()).min().unwrap_or_default();
    let mut rows = Vec::new();
    for place in 0..shortest {
        machine.fuel.burn(1 + lists.len())?;
        rows.push(Val::list(lists.iter().map(|list| list.items()[place].clone()).collect())?);
    }
    Val::list(rows)
}
