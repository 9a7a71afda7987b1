//! Rules that allocate shared cost to teams, one of each method.

use super::{Sample, document};
use graphql::Refusal;
use model::tables::allocation_rule;
use model::{AllocationMethod, Json};

/// Name, charges, method, shares, and the business number.
type Rule = (&'static str, &'static str, AllocationMethod, &'static str, Option<&'static str>);

const RULES: [Rule; 4] = [
    (
        "Monitoring, the same for each team",
        r#"{"service_name": ["Amazon CloudWatch", "Azure Monitor", "Cloud Logging"]}"#,
        AllocationMethod::Even,
        r#"{"shop": 1, "finance": 1, "data": 1}"#,
        None,
    ),
    (
        "Clusters, by requests",
        r#"{"service_name": ["Amazon Elastic Kubernetes Service", "Kubernetes Engine"]}"#,
        AllocationMethod::Usage,
        "{}",
        Some("requests"),
    ),
    (
        "Network, by what each team spends",
        r#"{"service_name": ["Amazon CloudFront", "Bandwidth"]}"#,
        AllocationMethod::Cost,
        "{}",
        None,
    ),
    (
        "Keys, by agreement",
        r#"{"service_name": ["Key Vault"]}"#,
        AllocationMethod::Fixed,
        r#"{"finance": 60, "shop": 30}"#,
        None,
    ),
];

/// Writes the rules. Their receipts are created as after any import.
pub(super) fn write(sample: &Sample<'_>) -> Result<(), Refusal> {
    let writer = sample.writer()?;
    for (position, (name, scope, method, shares, number)) in (1..).zip(RULES) {
        writer.insert([
            allocation_rule::id.to(sample.id(&format!("rule {position}"))),
            allocation_rule::name.to(name),
            allocation_rule::position.to(position),
            allocation_rule::scope.to(Json::from(document(scope)?)),
            allocation_rule::method.to(method),
            allocation_rule::shares.to(Json::from(document(shares)?)),
            allocation_rule::number_name.to_option(number.map(str::to_owned)),
        ])?;
    }
    Ok(())
}
