//! Rule: an object that the subject depends on had a problem first.

use super::{MINUTE, apart, score, short};
use crate::evidence::{Collection, Kind};
use crate::material::{Event, Material, Neighbour, Other};
use crate::report::Draft;

/// The largest time between related events (semantics §7).
const WINDOW: i64 = 10 * MINUTE;
const MOST: usize = 3;

pub(super) fn rule(event: &Event, material: &Material, evidence: &mut Collection) -> Vec<Draft> {
    let mut found: Vec<(u8, &Other, Option<&Neighbour>)> = material
        .events
        .iter()
        .filter(|other| other.id != event.id)
        .filter(|other| other.starts_at <= event.starts_at && event.starts_at - other.starts_at <= WINDOW)
        .filter_map(|other| {
            let name = other.subject.workload();
            let neighbour = material.neighbours.iter().filter(|near| near.is_needed && near.name == name);
            let neighbour = neighbour.min_by_key(|near| (near.distance, near.id));
            let shared = event.subject.shared(&other.subject);
            let parts = [
                if neighbour.is_none() && shared.is_none() { return None } else { 10 },
                neighbour.map_or(0, |near| if near.distance <= 1 { 40 } else { 25 }),
                shared.map_or(0, |(worth, _)| i16::from(worth)),
                if event.starts_at - other.starts_at <= 2 * MINUTE { 15 } else { 8 },
                if other.starts_at < event.starts_at { 10 } else { 0 },
                if is_over(event, other) { -20 } else { 0 },
            ];
            Some((score(&parts), other, neighbour))
        })
        .collect();
    // Ids change with every import, so equal scores are ordered by time and title first.
    found.sort_by_cached_key(|(score, other, _)| {
        (std::cmp::Reverse(*score), other.starts_at, other.title.clone(), other.id)
    });
    found
        .into_iter()
        .take(MOST)
        .map(|(score, other, near)| draft(event, evidence, score, other, near))
        .collect()
}

fn is_over(event: &Event, other: &Other) -> bool {
    other.ends_at.is_some_and(|end| end < event.starts_at)
}

fn draft(
    event: &Event,
    evidence: &mut Collection,
    score: u8,
    other: &Other,
    neighbour: Option<&Neighbour>,
) -> Draft {
    let id = evidence.add(
        Kind::Event,
        "events",
        vec![other.id.to_string()],
        short(&other.title),
        Some(other.starts_at),
    );
    let mut names = vec![id.clone()];
    let tie = match (neighbour, event.subject.shared(&other.subject)) {
        (Some(near), _) => {
            // The relation `MAY_CALL` is written as "may call".
            let relation = near.relation.to_lowercase().replace('_', " ");
            let title = format!("{} {relation} {}", event.subject.workload(), near.name);
            let tie = format!("{title}, and needs it");
            names.push(evidence.add(
                Kind::Manifest,
                "knowledge_graph_node",
                vec![near.id.to_string()],
                title,
                None,
            ));
            tie
        }
        (None, Some((_, place))) => format!("It happened {place}"),
        (None, None) => "It began near it".to_owned(),
    };
    let over = is_over(event, other);
    let against = if over { vec![id] } else { Vec::new() };
    let is_first = event.starts_at - other.starts_at >= MINUTE;
    Draft {
        score,
        claim: format!(
            "“{}” on {} began {}",
            short(&other.title),
            other.subject.workload(),
            if is_first { "first" } else { "at the same time" }
        ),
        reason: format!(
            "{tie}{}.{}",
            if is_first {
                format!("; it began {} before", apart(event.starts_at, other.starts_at))
            } else {
                String::new()
            },
            if over { " It was over before this event began." } else { "" }
        ),
        evidence: names,
        against,
        next: format!("Look into “{}” first: when it ends, this event should end, too.", short(&other.title)),
    }
}
