//! Recommendations of the Vertical Pod Autoscaler for a workload's containers.

use super::json_path::{list_at, str_at, value_at};
use crate::record::{Account, Finding, FindingState, Listing, Severity};
use serde_json::{Map, Value};

/// One container with its recommendation.
pub struct ContainerRecommendation<'a> {
    pub account: &'a Account,
    pub source: &'static str,
    pub namespace: &'a str,
    pub kind: &'a str,
    pub workload: &'a str,
    pub container: &'a str,
    /// An object with `target`, `lowerBound`, `upperBound` and, if known, `requests` and `limits`.
    pub amounts: &'a Value,
}

/// The findings of a VerticalPodAutoscaler; empty when it has no recommendation yet.
pub fn of_object(account: &Account, object: &Value) -> Vec<Finding> {
    let namespace = str_at(object, &["metadata", "namespace"]).unwrap_or("default");
    let target =
        (str_at(object, &["spec", "targetRef", "kind"]), str_at(object, &["spec", "targetRef", "name"]));
    let (Some(kind), Some(workload)) = target else { return Vec::new() };
    let containers = list_at(object, &["status", "recommendation", "containerRecommendations"]);
    let one = |amounts: &Value| {
        let container = str_at(amounts, &["containerName"])?;
        let recommendation =
            ContainerRecommendation { account, source: "vpa", namespace, kind, workload, container, amounts };
        Some(of_container(&recommendation))
    };
    containers.iter().filter_map(one).collect()
}

/// The finding for one container.
pub fn of_container(recommendation: &ContainerRecommendation<'_>) -> Finding {
    let ContainerRecommendation { account, source, namespace, kind, workload, container, amounts } =
        recommendation;
    let text = |word: &str| Value::String(word.to_owned());
    let mut details = Map::from_iter([
        ("source".to_owned(), text(source)),
        ("namespace".to_owned(), text(namespace)),
        ("workload".to_owned(), text(workload)),
        ("kind".to_owned(), text(kind)),
        ("container".to_owned(), text(container)),
    ]);
    for (key, name) in [
        ("target", "recommended"),
        ("lowerBound", "lower_bound"),
        ("upperBound", "upper_bound"),
        ("requests", "requests"),
        ("limits", "limits"),
    ] {
        if value_at(amounts, &[key]).is_object() {
            details.insert(name.to_owned(), value_at(amounts, &[key]).clone());
        }
    }
    Finding {
        account: (*account).clone(),
        scan: None,
        listing: Listing::Recommendations,
        subject: format!("{namespace}/{kind}/{workload}"),
        subject_name: Some((*workload).to_owned()),
        subject_kind: Some((*kind).to_owned()),
        region: None,
        service_name: None,
        category: "RightSizing",
        rule: format!("vpa container {container}"),
        title: format!("Container {container} of {workload} should ask for what it uses"),
        // The autoscaler states no severity.
        severity: Severity::Info,
        state: FindingState::Open,
        action: "Modify",
        monthly_savings: None,
        details,
        namespace: Some((*namespace).to_owned()),
    }
}
