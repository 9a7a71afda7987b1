//! Derives the owning teams of graph nodes from labels and tags.

use super::plan::{Key, Node, Plan};
use serde_json::{Map, Value};

/// Label keys that contain a team, in lower case.
const KEYS: [&str; 6] = ["team", "owner", "squad", "app.kubernetes.io/team", "owner-team", "team-name"];
/// Node types that have a team; pods and similar objects have that of their workload.
const OWNED: [&str; 12] = [
    "Workload",
    "Job",
    "CronJob",
    "K8sService",
    "Ingress",
    "Storage",
    "Database",
    "Cache",
    "LoadBalancer",
    "Queue",
    "ServerlessFunction",
    "ComputeInstance",
];

/// Relates a node to the team in its labels.
pub(super) fn add(key: &Key, labels: &Map<String, Value>, plan: &mut Plan) {
    let is_owned = plan.nodes.get(key).is_some_and(|node| OWNED.contains(&node.kind.as_str()));
    if !is_owned {
        return;
    }
    for (label, value) in labels {
        let Some(team) = value.as_str().map(str::trim).filter(|team| !team.is_empty()) else { continue };
        if !KEYS.contains(&label.to_lowercase().as_str()) {
            continue;
        }
        let team_key = (key.0, format!("team/{team}"));
        plan.nodes.entry(team_key.clone()).or_insert_with(|| Node {
            kind: "Team".to_owned(),
            name: team.to_owned(),
            namespace: None,
            labels: Map::new(),
            resource: None,
            source: "tags",
            properties: Map::new(),
        });
        plan.relate(&team_key, key, "OWNS", "label", &format!("{label}={team}"));
    }
}
