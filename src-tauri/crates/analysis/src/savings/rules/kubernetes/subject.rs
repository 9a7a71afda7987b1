//! The subjects of findings about clusters, and their figures.

use crate::numbers::round;
use crate::savings::cluster::{Cluster, Owner, Pod};
use crate::savings::finding::{Figure, Finding, Saving, Severity};
use crate::savings::in_cluster::InCluster;
use crate::savings::rule::Rule;
use catalogue::{Decimal, format_timestamp};
use std::collections::BTreeMap;
use uuid::Uuid;

/// One day in µs.
const DAY: i64 = 86_400_000_000;
/// One MiB in bytes.
pub const MIB: i64 = 1 << 20;
/// The namespace of the cluster's own components, which the cluster's operator configures.
pub const OWN_NAMESPACE: &str = "kube-system";

/// The subject of a finding.
pub struct Subject {
    pub resource: Option<Uuid>,
    /// `namespace/kind/name`, like the resource's name.
    pub object: String,
    pub namespace: Option<String>,
}

/// The texts and figures of a finding.
pub struct Words {
    pub title: String,
    pub why: String,
    pub severity: Severity,
    pub figures: Vec<Figure>,
    pub members: Vec<String>,
}

impl Subject {
    pub fn of(resource: Uuid, owner: &Owner) -> Self {
        Self { resource: Some(resource), object: owner.text(), namespace: Some(owner.namespace.clone()) }
    }

    /// A finding without money.
    pub fn finding(self, cluster: &Cluster, rule: &'static Rule, words: Words) -> Finding {
        let in_cluster = InCluster {
            at: cluster.seen_at,
            seen_at: format_timestamp(cluster.seen_at),
            cluster: cluster.name.clone(),
            namespace: self.namespace,
            dedupe_group: format!("{}/{}", rule.name, self.object),
            billed: None,
            resources: None,
        };
        Finding {
            rule,
            account: cluster.account,
            resource: self.resource,
            object: self.object,
            title: words.title,
            why: words.why,
            currency: None,
            period_cost: Decimal::ZERO,
            monthly_cost: Decimal::ZERO,
            saving: Saving::Share(Decimal::ZERO),
            period: None,
            usage: Vec::new(),
            region: None,
            figures: words.figures,
            severity: words.severity,
            last_day: i32::try_from(cluster.seen_at.div_euclid(DAY)).unwrap_or(i32::MAX),
            change: rule.name.to_owned(),
            members: words.members,
            cluster: Some(in_cluster),
        }
    }
}

/// Pods by controller; a pod without a controller stands for itself. With the resource that represents them.
pub fn by_owner(cluster: &Cluster, is_one: impl Fn(&Pod) -> bool) -> BTreeMap<Owner, (Uuid, Vec<&Pod>)> {
    let known: BTreeMap<&Owner, Uuid> =
        cluster.workloads.iter().map(|workload| (&workload.owner, workload.resource)).collect();
    let mut found: BTreeMap<Owner, (Uuid, Vec<&Pod>)> = BTreeMap::new();
    for pod in cluster.pods.iter().filter(|pod| is_one(pod)) {
        let itself =
            Owner { namespace: pod.namespace.clone(), kind: "Pod".to_owned(), name: pod.name.clone() };
        // An owner that no dump lists cannot be opened in the interface; its pods can.
        let owner = pod.owner.as_ref().and_then(|owner| known.get_key_value(owner));
        let (owner, resource) =
            owner.map_or((itself, pod.resource), |(owner, resource)| ((*owner).clone(), *resource));
        found.entry(owner).or_insert_with(|| (resource, Vec::new())).1.push(pod);
    }
    found
}

/// Bytes in MiB, to two decimal places.
pub fn mebibytes(bytes: i64) -> Decimal {
    let exact = Decimal::from_parts(i128::from(bytes) * 1_000_000 / i128::from(MIB), 6);
    exact.and_then(|exact| round(exact, 2)).unwrap_or_default()
}

/// Bytes in whole MiB, rounded up.
pub fn whole_mebibytes(bytes: i64) -> i64 {
    bytes.saturating_add(MIB - 1) / MIB
}

pub fn cpu(name: impl Into<String>, milli: i64) -> Figure {
    Figure::whole(name, milli, "m")
}

pub fn memory(name: impl Into<String>, bytes: i64) -> Figure {
    Figure::new(name, mebibytes(bytes), "MiB")
}

/// "1 pod", "3 pods".
pub fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}
