//! Rule: the subject is gone, or has fewer pods than desired.

use super::score;
use crate::evidence::{Collection, Kind};
use crate::material::{Event, Material, State};
use crate::report::Draft;

pub(super) fn rule(event: &Event, material: &Material, evidence: &mut Collection) -> Vec<Draft> {
    let mut bad: Vec<(&State, String, i16)> = material
        .states
        .iter()
        .filter_map(|state| wrong(state).map(|(what, worth)| (state, what, worth)))
        .collect();
    bad.sort_by(|one, other| other.2.cmp(&one.2).then_with(|| one.0.id.cmp(&other.0.id)));
    bad.truncate(2);
    bad.into_iter()
        .map(|(state, what, worth)| {
            let title = format!("{} {what}", state.name);
            let id = evidence.add(Kind::Manifest, &state.table, vec![state.id.clone()], title, None);
            Draft {
                score: score(&[worth, if state.name == event.subject.workload() { 15 } else { 0 }]),
                claim: format!("{} {what}", state.name),
                reason: "So it stood when it was last seen.".to_owned(),
                evidence: vec![id],
                against: Vec::new(),
                next: format!(
                    "Find out why {} does not come up: its pods, their messages, and room on the nodes.",
                    state.name
                ),
            }
        })
        .collect()
}

/// The problem of an object, and the weight of the problem as an explanation.
fn wrong(state: &State) -> Option<(String, i16)> {
    if state.is_gone {
        return Some(("is gone".to_owned(), 40));
    }
    match state.ready {
        Some((0, wanted)) if wanted > 0 => Some((format!("has none of {wanted} pods ready"), 45)),
        Some((ready, wanted)) if ready < wanted => Some((format!("has {ready} of {wanted} pods ready"), 35)),
        _ => None,
    }
}
