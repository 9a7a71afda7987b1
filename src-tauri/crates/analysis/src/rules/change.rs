//! Rule: a change shortly before the event, the most frequent cause.

use super::{HOUR, MINUTE, apart, score, short};
use crate::evidence::{Collection, Kind};
use crate::material::{Change, Event, Material};
use crate::report::Draft;
use crate::words;

/// Older changes are left to other rules.
const WINDOW: i64 = 6 * HOUR;
const MOST: usize = 3;

pub(super) fn rule(event: &Event, material: &Material, evidence: &mut Collection) -> Vec<Draft> {
    let mut found: Vec<(&Change, u8, String)> = material
        .changes
        .iter()
        .filter(|change| began(change) <= event.starts_at && event.starts_at - change.at <= WINDOW)
        .filter_map(|change| {
            let (worth, place) = place(event, material, change)?;
            Some((change, worth, place))
        })
        .collect();
    found.sort_by_cached_key(|(change, worth, _)| {
        let order = std::cmp::Reverse((*worth, change.not_before.is_none(), change.at));
        (order, change.what.clone(), change.id.clone())
    });
    found
        .into_iter()
        .take(MOST)
        .map(|(change, worth, place)| draft(event, material, evidence, change, worth, &place))
        .collect()
}

/// The earliest possible time of the change.
fn began(change: &Change) -> i64 {
    change.not_before.unwrap_or(change.at)
}

/// How the change relates to the event's subject, and the weight of the relation.
fn place(event: &Event, material: &Material, change: &Change) -> Option<(u8, String)> {
    if let Some((worth, place)) = event.subject.shared(&change.subject) {
        return Some((worth, place.to_owned()));
    }
    let name = change.subject.workload();
    let neighbour =
        material.neighbours.iter().find(|near| near.is_needed && near.name == name && !name.is_empty())?;
    Some((
        if neighbour.distance <= 1 { 18 } else { 10 },
        format!("on {name}, which {} needs", event.subject.workload()),
    ))
}

fn draft(
    event: &Event,
    material: &Material,
    evidence: &mut Collection,
    change: &Change,
    worth: u8,
    place: &str,
) -> Draft {
    let before = event.starts_at - change.at;
    let close = match before {
        // It may have happened after the event.
        _ if change.not_before.is_some() => 5,
        within if within <= 15 * MINUTE => 30,
        within if within <= HOUR => 20,
        _ => 5,
    };
    let id = evidence.add(
        Kind::Change,
        &change.table,
        vec![change.id.clone()],
        short(&change.what),
        Some(change.at),
    );
    // If the same problem occurred before the change, the change did not cause it.
    let earlier = material
        .series
        .iter()
        .filter(|earlier| {
            earlier.starts_at < began(change) && began(change) - earlier.starts_at <= 7 * 24 * HOUR
        })
        .max_by_key(|earlier| (earlier.starts_at, earlier.id));
    let against: Vec<String> = earlier
        .map(|earlier| {
            let title = format!("The same event {} before", apart(event.starts_at, earlier.starts_at));
            evidence.add(Kind::Event, "events", vec![earlier.id.to_string()], title, Some(earlier.starts_at))
        })
        .into_iter()
        .collect();
    let parts = [
        20,
        close,
        i16::from(worth),
        if change.is_deployment { 15 } else { 0 },
        if against.is_empty() { 0 } else { -25 },
    ];
    let by = if change.by.is_empty() { String::new() } else { format!(" by {}", change.by) };
    let contradiction = if against.is_empty() { "" } else { " The same event came before this change, too." };
    let distance = apart(event.starts_at, change.at);
    let (claim, when) = match change.not_before {
        None => (
            format!("{} {distance} before", short(&change.what)),
            format!("{distance} before the event began"),
        ),
        Some(from) => (short(&change.what), words::between(from, change.at)),
    };
    Draft {
        score: score(&parts),
        claim,
        reason: format!("Changed{by} {place}, {when}.{contradiction}"),
        evidence: vec![id],
        against,
        next: "Compare the settings before and after the change; undo it where that is safe, and see whether the event ends."
            .to_owned(),
    }
}
