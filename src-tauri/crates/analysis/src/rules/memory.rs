//! Rule: a container was killed because it exceeded its memory limit.

use super::{apart, score, short};
use crate::evidence::{Collection, Kind};
use crate::material::{Event, Material};
use crate::report::Draft;

const SIGNS: [&str; 5] =
    ["oomkilled", "oom-killed", "out of memory", "memory limit", "java.lang.outofmemoryerror"];

fn tells(text: &str) -> bool {
    let text = text.to_lowercase();
    SIGNS.iter().any(|sign| text.contains(sign))
}

pub(super) fn rule(event: &Event, material: &Material, evidence: &mut Collection) -> Vec<Draft> {
    let said = tells(&event.title) || tells(&event.kind) || tells(&event.words);
    let mut lines: Vec<_> = material.logs.iter().filter(|line| tells(&line.message)).collect();
    lines.sort_by_key(|line| (line.at, line.id));
    if !said && lines.is_empty() {
        return Vec::new();
    }
    let mut names = Vec::new();
    if said {
        let title = format!("“{}” says so", short(&event.title));
        names.push(evidence.add(
            Kind::Event,
            "events",
            vec![event.id.to_string()],
            title,
            Some(event.starts_at),
        ));
    }
    if let Some(first) = lines.first() {
        let rows = lines.iter().take(20).map(|line| line.id.to_string()).collect();
        names.push(evidence.add(Kind::Log, "logs", rows, short(&first.message), Some(first.at)));
    }
    let seen = lines.first().map(|line| {
        format!(
            " The log tells of it {} times, first {} from its beginning.",
            lines.len(),
            apart(line.at, event.starts_at)
        )
    });
    Vec::from([Draft {
        score: score(&[50, if said { 25 } else { 0 }, if lines.is_empty() { 0 } else { 15 }]),
        claim: format!("{} ran out of memory", event.subject.workload()),
        reason: format!(
            "{}{}",
            if said {
                "The event itself names memory as the reason."
            } else {
                "Its log names memory as the reason."
            },
            seen.unwrap_or_default()
        ),
        evidence: names,
        against: Vec::new(),
        next: "Compare memory in use with the limit of the workload; raise the limit, or find what grew."
            .to_owned(),
    }])
}
