//! Finds what could cost less, or be safer or more reliable, and verifies savings afterwards.
//!
//! Start at [`find`]: a [`Bill`] gives [`Finding`]s of [`Rule`]s; [`find_in_cluster`] does the same for a [`Cluster`]. [`verify`] compares the
//! cost of a resource before and after a change. A rule is one file with its published source, its thresholds and a version. Savings are stated
//! in the money of the user's own bill: a monthly cost, and the fraction of it that is saved or the cost that remains.
//!
//! The result depends only on the input values, not on the current time.

mod bill;
mod cluster;
mod finding;
mod hours;
mod in_cluster;
mod proof;
mod rule;
mod rules;
mod subject;

pub use bill::{Bill, Growth, Line, Month, Period, UnusedCommitment};
pub use cluster::{Cluster, Container, MachineCost, Measurements, Node, Owner, Pod, Release, Workload};
pub use finding::{Amount, Card, Figure, Finding, SOURCE, Saving, Severity, Witness, for_a_month};
pub use hours::{Hours, Night};
pub use in_cluster::{BilledResource, InCluster, Requests, SetResources};
pub use proof::{MonthSaving, Verdict, VerifiedSaving, verify};
pub use rule::{Action, Category, Confidence, Rule, Threshold};
pub use rules::kubernetes::{FEWEST_HOURS, FEWEST_MEASUREMENTS, Rightsizing, rightsizing};

/// All findings of the rules for bills, in the order of the rules; for each rule, highest cost first.
pub fn find(bill: &Bill) -> Vec<Finding> {
    let mut findings = Vec::new();
    for one in rules::ALL {
        let mut found = (one.find)(bill);
        found.retain(Finding::is_worth_telling);
        found.sort_by(|one, other| (other.monthly_cost, &one.object).cmp(&(one.monthly_cost, &other.object)));
        findings.extend(found);
    }
    findings
}

/// Whether a rule for bills reads charges of this kind of use (the provider's usage type or meter). Other charges need not be passed to [`find`].
pub fn reads(usage: &str) -> bool {
    rules::ALL.iter().any(|rule| (rule.reads)(usage))
}

/// Whether a rule reads the monthly growth of charges of this kind of use.
pub fn reads_growth(usage: &str) -> bool {
    rules::is_growing(usage)
}

/// All findings of the rules for clusters, in the order of the rules; for each rule, most severe first.
pub fn find_in_cluster(cluster: &Cluster) -> Vec<Finding> {
    let mut findings = Vec::new();
    for one in rules::kubernetes::ALL {
        let mut found = (one.find)(cluster);
        found.sort_by(|one, other| (other.severity, &one.object).cmp(&(one.severity, &other.object)));
        findings.extend(found);
    }
    findings
}

/// Nodes whose price a rule for clusters needs.
pub fn idle_nodes(cluster: &Cluster) -> Vec<&Node> {
    rules::kubernetes::idle(cluster)
}

/// All rules: those for bills, then those for clusters.
pub fn catalogue() -> impl Iterator<Item = &'static Rule> {
    rules::ALL.iter().map(|one| one.rule).chain(rules::kubernetes::ALL.iter().map(|one| one.rule))
}
