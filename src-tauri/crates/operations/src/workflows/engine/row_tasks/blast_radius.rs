//! The task `core.blast_radius_preflight`: computes from the knowledge graph what an outage would affect, and blocks the run if that is too much.

use super::super::run_row::RunRow;
use crate::graph::{DependentNode, outage};
use automation::plan::Call;
use automation::template::to_text;
use graphql::Refusal;
use serde::Serialize;
use store::Transaction;
use uuid::Uuid;

/// The risk levels, each with its minimum score.
const LEVELS: [(&str, u64); 4] = [("low", 0), ("medium", 25), ("high", 50), ("critical", 75)];
/// Points per affected node, and per affected node that stores data or connects others. Each sum is limited to `MAX_POINTS`.
const POINTS: u64 = 2;
const HEAVY_POINTS: u64 = 10;
const MAX_POINTS: u64 = 50;
/// Substrings of node types whose outage is more severe.
const HEAVY: [&str; 8] =
    ["database", "cache", "redis", "queue", "kafka", "storage", "bucket", "externalservice"];

/// The output of the task.
#[derive(Debug, Serialize)]
pub(super) struct BlastRadius {
    risk_score: u64,
    risk_level: &'static str,
    affected_node_count: usize,
    affected_nodes: Vec<AffectedNode>,
    /// Whether the list contains all affected nodes.
    is_complete: bool,
    is_blocked: bool,
}

#[derive(Debug, Serialize)]
struct AffectedNode {
    id: Uuid,
    name: String,
    kind: String,
    namespace: String,
    account_id: Uuid,
}

pub(super) fn read(rows: &Transaction<'_>, run: &RunRow, call: &Call) -> Result<BlastRadius, Refusal> {
    let text = |name: &str| to_text(&call.params[name]).trim().to_owned();
    let (name, namespace) = (text("resource_name"), text("namespace"));
    if name.is_empty() {
        return Err(Refusal::invalid("resource_name: expected the name of a thing of the knowledge graph"));
    }
    let blocks = match text("on_high_risk").as_str() {
        "" | "warn" => false,
        "block" => true,
        other => {
            return Err(Refusal::invalid(format!("on_high_risk: expected warn or block, found \"{other}\"")));
        }
    };
    let given = Some(text("risk_threshold").to_lowercase()).filter(|given| !given.is_empty());
    let given = given.as_deref().unwrap_or("high");
    let &(threshold, least) = LEVELS
        .iter()
        .find(|(name, _)| *name == given)
        .ok_or_else(|| Refusal::invalid("risk_threshold: expected low, medium, high or critical"))?;
    let place = if namespace.is_empty() { String::new() } else { format!(" in the namespace {namespace}") };
    let Some(outage) = outage(rows, run.account, (&name, &namespace))? else {
        return Err(Refusal::not_found(format!(
            "the knowledge graph of this account has no {name}{place}, so nobody knows what depends on it: import a dump of the cluster or a bill first"
        )));
    };
    let (score, level) = risk(&outage.dependents);
    let is_blocked = blocks && score >= least;
    let count = outage.dependents.len();
    if is_blocked {
        return Err(Refusal::new(
            "blast-radius",
            format!(
                "an outage of {name}{place} would touch {count} things that need it: risk {level} ({score} of 100), and the run stops from {threshold} on"
            ),
        ));
    }
    let node = |thing: DependentNode| AffectedNode {
        id: thing.id,
        name: thing.name,
        kind: thing.kind,
        namespace: thing.namespace,
        account_id: run.account,
    };
    Ok(BlastRadius {
        risk_score: score,
        risk_level: level,
        affected_node_count: count,
        is_complete: outage.is_whole,
        affected_nodes: outage.dependents.into_iter().map(node).collect(),
        is_blocked,
    })
}

/// The risk score from 0 to 100, and its level.
fn risk(dependents: &[DependentNode]) -> (u64, &'static str) {
    let points = |count: usize, each: u64| (count as u64).saturating_mul(each).min(MAX_POINTS);
    let is_heavy = |thing: &&DependentNode| {
        let kind = thing.kind.to_lowercase();
        HEAVY.iter().any(|part| kind.contains(part))
    };
    let score =
        points(dependents.len(), POINTS) + points(dependents.iter().filter(is_heavy).count(), HEAVY_POINTS);
    let level = LEVELS.iter().rev().find(|(_, least)| score >= *least).map_or("low", |(name, _)| name);
    (score, level)
}

#[cfg(test)]
mod tests {
    use super::{DependentNode, risk};
    use uuid::Uuid;

    fn things(kinds: &[(&str, usize)]) -> Vec<DependentNode> {
        let thing = |kind: &str| DependentNode {
            id: Uuid::nil(),
            name: "a".to_owned(),
            kind: kind.to_owned(),
            namespace: String::new(),
        };
        kinds.iter().flat_map(|(kind, count)| std::iter::repeat_n(thing(kind), *count)).collect()
    }

    #[test]
    fn more_things_and_things_that_keep_data_are_more_risk() {
        assert_eq!(risk(&[]), (0, "low"));
        assert_eq!(risk(&things(&[("Workload", 12)])), (24, "low"));
        assert_eq!(risk(&things(&[("Workload", 30)])), (50, "high"));
        assert_eq!(risk(&things(&[("Workload", 3), ("Database", 2)])), (30, "medium"));
        assert_eq!(risk(&things(&[("Workload", 90), ("MessageQueue", 9)])), (100, "critical"));
    }
}
