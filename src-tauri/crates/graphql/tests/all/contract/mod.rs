//! Compares the printed schema with the reference's: types, members and arguments, including nullability.
//!
//! The reference is beside the project (`../shared/reference/check.py --sdl`). Without it, or without python3, the test prints a note and
//! compares nothing.

mod explained;
mod shape;
mod unbuilt;

use crate::project::root;
use explained::EXPLAINED;
use shape::{Shape, base, shapes};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use testkit::product::{catalogue, schema_files};
use unbuilt::UNBUILT;

type Shapes = BTreeMap<String, Shape>;

const ROOTS: [&str; 3] = ["query_root", "mutation_root", "subscription_root"];

/// A difference from the reference: position (`type.member(argument)`) and description.
struct Difference {
    place: String,
    what: String,
}

#[test]
fn the_schema_differs_from_the_reference_for_named_reasons_only() {
    let Some(reference) = reference(&["--sdl"]) else { return };
    let (wanted, found) = (shapes(&reference), shapes(&graphql::sdl(&catalogue()).unwrap()));
    let differences = differences(&wanted, &found);
    let mut used = vec![0_usize; EXPLAINED.len()];
    let mut by_area: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for difference in &differences {
        match EXPLAINED.iter().position(|(pattern, _)| matches(pattern, &difference.place)) {
            Some(place) => used[place] += 1,
            None => by_area
                .entry(area(&difference.place))
                .or_default()
                .push(format!("{}: {}", difference.place, difference.what)),
        }
    }
    for ((pattern, reason), count) in EXPLAINED.iter().zip(&used) {
        println!("{count:4} × {pattern}: {reason}");
    }
    let stale: Vec<&str> = EXPLAINED
        .iter()
        .zip(&used)
        .filter(|(_, count)| **count == 0)
        .map(|((pattern, _), _)| *pattern)
        .collect();
    assert!(by_area.is_empty(), "differences without a reason, by area: {by_area:#?}");
    assert!(stale.is_empty(), "no longer differences, take them out of explained.rs: {stale:#?}");
}

#[test]
fn a_documented_operation_beyond_the_contract_is_served_or_has_a_reason() {
    let Some(reference) = reference(&["--sdl", "--all"]) else { return };
    let (wanted, found) = (shapes(&reference), shapes(&graphql::sdl(&catalogue()).unwrap()));
    let mut used = vec![0_usize; UNBUILT.len()];
    let mut unnamed: Vec<String> = Vec::new();
    for root in ROOTS {
        let Some(shape) = wanted.get(root) else { continue };
        for name in shape.members.keys().filter(|name| !found[root].members.contains_key(*name)) {
            match UNBUILT.iter().position(|(pattern, _)| matches(pattern, name)) {
                Some(place) => used[place] += 1,
                None => unnamed.push(format!("{root}.{name}")),
            }
        }
    }
    let stale: Vec<&str> = UNBUILT
        .iter()
        .zip(&used)
        .filter(|(_, count)| **count == 0)
        .map(|((pattern, _), _)| *pattern)
        .collect();
    assert!(unnamed.is_empty(), "not served, and not in unbuilt.rs with a reason: {unnamed:#?}");
    assert!(stale.is_empty(), "served by now, take them out of unbuilt.rs: {stale:#?}");
}

/// The reference's schema as text; `None`, with a printed note, if it is not available.
fn reference(arguments: &[&str]) -> Option<String> {
    let script = root().join("../shared/reference/check.py");
    if !script.exists() {
        println!("nothing compared: {} is not there", script.display());
        return None;
    }
    match Command::new("python3").arg(&script).args(arguments).output() {
        Ok(output) if output.status.success() => Some(String::from_utf8(output.stdout).unwrap()),
        Ok(output) => panic!("check.py failed: {}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => {
            println!("nothing compared: python3 cannot be run: {error}");
            None
        }
    }
}

/// What a client of the reference would miss or find changed. Our additions are not differences, unless they are required.
fn differences(wanted: &Shapes, found: &Shapes) -> Vec<Difference> {
    let mut all = Vec::new();
    let reachable = reachable(wanted, found);
    for (name, shape) in wanted {
        let mut note = |place: String, what: String| all.push(Difference { place, what });
        let Some(ours) = found.get(name) else {
            // A type reachable only through missing members is missing with them.
            if reachable.contains(name.as_str()) {
                note(name.clone(), "the type is missing".to_owned());
            }
            continue;
        };
        if shape.kind != ours.kind {
            note(name.clone(), format!("expected {}, found {}", shape.kind, ours.kind));
        }
        for (member, expected) in &shape.members {
            let place = format!("{name}.{member}");
            let Some(have) = ours.members.get(member) else {
                note(place, "missing".to_owned());
                continue;
            };
            if expected.kind != have.kind {
                note(place.clone(), format!("expected {}, found {}", expected.kind, have.kind));
            }
            for (argument, kind) in &expected.arguments {
                match have.arguments.get(argument) {
                    Some(found) if found == kind => {}
                    other => {
                        note(format!("{place}({argument})"), format!("expected {kind}, found {other:?}"));
                    }
                }
            }
            for (argument, kind) in &have.arguments {
                // The reference does not list arguments of columns (`path`); optional ones do not affect clients.
                if !expected.arguments.contains_key(argument) && kind.ends_with('!') {
                    note(format!("{place}({argument})"), format!("a required argument of ours: {kind}"));
                }
            }
        }
        for (member, have) in &ours.members {
            if shape.kind == "input" && !shape.members.contains_key(member) && have.kind.ends_with('!') {
                note(format!("{name}.{member}"), format!("a required member of ours: {}", have.kind));
            }
        }
    }
    all
}

/// The types of the reference that are reachable from the roots by members that both schemas have.
fn reachable<'a>(wanted: &'a Shapes, found: &Shapes) -> BTreeSet<&'a str> {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&str> = wanted.keys().map(String::as_str).filter(|name| ROOTS.contains(name)).collect();
    while let Some(name) = open.pop() {
        let Some((name, shape)) = wanted.get_key_value(name) else { continue };
        if !seen.insert(name) {
            continue;
        }
        let Some(ours) = found.get(name) else { continue };
        for (_, member) in shape.members.iter().filter(|(member, _)| ours.members.contains_key(*member)) {
            open.push(base(&member.kind));
            open.extend(member.arguments.values().map(|kind| base(kind)));
        }
    }
    seen
}

/// Whether a pattern matches a position; `*` matches anything, and alternatives are written `{a,b}`.
fn matches(pattern: &str, place: &str) -> bool {
    if let Some((before, rest)) = pattern.split_once('{') {
        let (choices, after) = rest.split_once('}').expect("an open brace is closed");
        return choices.split(',').any(|choice| matches(&format!("{before}{}{after}", choice.trim()), place));
    }
    match pattern.split_once('*') {
        None => pattern == place,
        Some((before, after)) => {
            let Some(rest) = place.strip_prefix(before) else { return false };
            rest.char_indices().any(|(at, _)| matches(after, &rest[at..])) || after.is_empty()
        }
    }
}

/// The file of `schema/tables/` with the table of a position.
fn area(place: &str) -> String {
    let (kind, member) = place.split_once('.').unwrap_or((place, ""));
    let name = if ROOTS.contains(&kind) { member } else { kind };
    let name =
        ["insert_", "update_", "delete_"].iter().find_map(|verb| name.strip_prefix(verb)).unwrap_or(name);
    let mut best: (usize, String) = (0, "operations".to_owned());
    for (file, text) in schema_files() {
        for line in text.lines() {
            let declared = line.strip_prefix("type ").or_else(|| line.strip_prefix("enum "));
            let table = declared.and_then(|rest| rest.split([' ', '{']).next()).unwrap_or_default();
            if table.len() > best.0 && name.starts_with(table) {
                best = (table.len(), file.clone());
            }
        }
    }
    best.1
}
