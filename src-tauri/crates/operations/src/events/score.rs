//! The importance of an event, 0 to 100 (semantics §7).
//!
//! Evidence (out-of-memory kills, restarts) is not included: nothing collects it yet, so its format is not known.

use crate::kit::text;
use serde_json::{Value as Json, json};

/// A score and its components.
pub(super) struct Score {
    pub value: i64,
    pub factors: Json,
}

/// The score of an event. `environment` is that of its account, `occurrence` its number in its series, `kinds` are the types of its relations,
/// and `rules` is the score change by triage rules.
pub(super) fn score(event: &Json, environment: &str, occurrence: i64, kinds: &[&str], rules: i64) -> Score {
    let base = match text(event, "priority") {
        "HIGH" => 25,
        "MEDIUM" => 15,
        "INFO" => 5,
        "DEBUG" => 3,
        // LOW and unknown priorities.
        _ => 10,
    };
    let tenths = match environment {
        "prod" => 10,
        "non_prod" => 3,
        _ => 5,
    };
    let repeated = -(5 * (occurrence - 1)).clamp(0, 30);
    let has = |kind: &str| kinds.contains(&kind);
    let related = if has("likely_root_cause") {
        15
    } else if has("downstream_impact") || has("upstream_dependency") {
        -10
    } else if has("same_service") {
        -5
    } else {
        0
    };
    let finding = match text(event, "finding_type").to_ascii_lowercase().as_str() {
        "slo" => 10,
        "anomaly" => 5,
        "configuration_change" => -10,
        _ => 0,
    };
    let importance = base * tenths * 4 / 10;
    let value = (importance + repeated + related + finding + rules).clamp(0, 100);
    let factors = json!({
        "priority_and_environment": importance, "repeated": repeated, "related": related,
        "finding_type": finding, "rules": rules,
    });
    Score { value, factors }
}

/// The priority of a score; P0 is the most urgent.
pub(super) fn priority(score: i64) -> &'static str {
    match score {
        80.. => "P0",
        60..=79 => "P1",
        40..=59 => "P2",
        _ => "P3",
    }
}

#[cfg(test)]
mod tests {
    use super::{priority, score};
    use serde_json::json;

    #[test]
    fn a_score_follows_from_priority_environment_repetition_relations_and_rules() {
        for (event, environment, occurrence, kinds, rules, expected) in [
            (json!({"priority": "HIGH"}), "prod", 1, &[][..], 0, (100, "P0")),
            (json!({"priority": "HIGH"}), "non_prod", 1, &[][..], 0, (30, "P3")),
            (json!({"priority": "MEDIUM"}), "prod", 3, &[][..], 0, (50, "P2")),
            (json!({"priority": "MEDIUM"}), "prod", 99, &["same_service"][..], 0, (25, "P3")),
            (json!({"priority": "LOW", "finding_type": "SLO"}), "prod", 1, &[][..], 15, (65, "P1")),
            (
                json!({"priority": "DEBUG", "finding_type": "configuration_change"}),
                "non_prod",
                1,
                &[][..],
                0,
                (0, "P3"),
            ),
            (json!({"priority": "HIGH"}), "", 1, &[][..], 0, (50, "P2")),
        ] {
            let found = score(&event, environment, occurrence, kinds, rules).value;
            assert_eq!((found, priority(found)), expected, "{event} in {environment:?}, {occurrence}");
        }
    }
}
