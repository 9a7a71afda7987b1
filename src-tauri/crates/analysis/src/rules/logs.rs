//! Rule: log messages that did not occur before.

use super::{MINUTE, score, short};
use crate::evidence::{Collection, Kind};
use crate::material::{Event, Line, Material};
use crate::report::Draft;
use crate::template::template;
use std::collections::BTreeMap;

/// How long before the event's start new messages may begin.
const BEFORE: i64 = 15 * MINUTE;
const MOST: usize = 2;
/// The largest number of rows cited per message.
const CITED: usize = 20;

pub(super) fn rule(event: &Event, material: &Material, evidence: &mut Collection) -> Vec<Draft> {
    let begin = event.starts_at - BEFORE;
    let mut statements: BTreeMap<String, (usize, Vec<&Line>)> = BTreeMap::new();
    for line in material.logs.iter().filter(|line| is_bad(line)) {
        let known = statements.entry(template(&line.message)).or_default();
        if line.at < begin { known.0 += 1 } else { known.1.push(line) }
    }
    // Messages that were as frequent before do not explain this event.
    let mut new: Vec<(String, usize, Vec<&Line>)> = statements
        .into_iter()
        .filter(|(_, (before, since))| !since.is_empty() && since.len() > before * 3)
        .map(|(text, (before, since))| (text, before, since))
        .collect();
    new.sort_by(|one, other| other.2.len().cmp(&one.2.len()).then_with(|| one.0.cmp(&other.0)));
    new.truncate(MOST);
    new.into_iter().map(|(text, before, since)| draft(evidence, &text, before, since)).collect()
}

fn is_bad(line: &Line) -> bool {
    let severity = line.severity.to_ascii_lowercase();
    ["err", "crit", "fatal", "alert", "emerg", "panic"].iter().any(|word| severity.starts_with(word))
}

fn draft(evidence: &mut Collection, text: &str, before: usize, mut since: Vec<&Line>) -> Draft {
    since.sort_by_cached_key(|line| (line.at, line.message.clone(), line.id));
    let rows = since.iter().take(CITED).map(|line| line.id.to_string()).collect();
    let at = since.first().map(|line| line.at);
    let id = evidence.add(Kind::Log, "logs", rows, short(text), at);
    let count = since.len();
    Draft {
        score: score(&[
            25,
            match count {
                1..=2 => 5,
                3..=19 => 15,
                _ => 25,
            },
            if before == 0 { 10 } else { 0 },
        ]),
        claim: format!("The log has a new error: {}", short(text)),
        reason: match before {
            0 => format!("Written {count} times since, and never in the time before that was read."),
            _ => format!("Written {count} times since, and {before} times in the longer time before."),
        },
        evidence: vec![id],
        against: Vec::new(),
        next: "Read the lines around the first of these, and follow what they name.".to_owned(),
    }
}
