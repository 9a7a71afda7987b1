//! Waste: what could cost less, be safer or sounder, and what became of it afterwards.
//!
//! Start at [`find`]: a [`Bill`] gives [`Finding`]s of [`Rule`]s; [`find_in_cluster`] does so for a [`Cluster`]. [`verify`] compares what a resource cost before and after. A rule is one file with its published source, its thresholds and a version; what it claims is said in money of the person's own
//! bill: a monthly cost, and the share of it that is saved or what is left of it.
//!
//! Values in, findings out: nothing here knows the present time, and the same values give the same findings.

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

/// Everything the rules for bills find, in the order of the rules; of each rule what costs most first.
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

/// Whether a rule for bills looks at charges of this kind of use, as the provider's usage type or meter names it. Other charges need not be
/// handed to [`find`].
pub fn reads(usage: &str) -> bool {
    rules::ALL.iter().any(|rule| (rule.reads)(usage))
}

/// Whether a rule looks at how charges of this kind of use grow from month to month.
pub fn reads_growth(usage: &str) -> bool {
    rules::is_growing(usage)
}

/// Everything the rules for clusters find, in the order of the rules; of each rule what matters most first.
pub fn find_in_cluster(cluster: &Cluster) -> Vec<Finding> {
    let mut findings = Vec::new();
    for one in rules::kubernetes::ALL {
        let mut found = (one.find)(cluster);
        found.sort_by(|one, other| (other.severity, &one.object).cmp(&(one.severity, &other.object)));
        findings.extend(found);
    }
    findings
}

/// Nodes whose price a rule for clusters wants to know.
pub fn idle_nodes(cluster: &Cluster) -> Vec<&Node> {
    rules::kubernetes::idle(cluster)
}

/// All rules: those for bills, then those for clusters.
pub fn catalogue() -> impl Iterator<Item = &'static Rule> {
    rules::ALL.iter().map(|one| one.rule).chain(rules::kubernetes::ALL.iter().map(|one| one.rule))
}
