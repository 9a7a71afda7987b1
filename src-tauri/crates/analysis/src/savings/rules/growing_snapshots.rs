//! Rule: snapshots that are created but never deleted.
//!
//! <https://github.com/finopsfoundation/kpis> `waste-sensors/waste-sensors.yml`; OptScale,
//! `bumiworker/modules/recommendations/obsolete_snapshots.py`.

use super::Judge;
use super::growth::growing;
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};

const RULE: Rule = Rule {
    name: "growing_snapshots",
    version: 2,
    about: "Snapshots have grown for 90 days and none was deleted, as far as their size tells.",
    source: "https://github.com/finopsfoundation/kpis",
    aliases: &["old_snapshot", "obsolete_snapshots", "ws_aws_snapshot_old"],
    category: Category::Configuration,
    action: Action::Delete,
    confidence: Confidence::Low,
    thresholds: &[
        Threshold { name: "Grown over four months to at least", value: "1.05", unit: "times" },
        Threshold { name: "Months that hold less than the one before", value: "0", unit: "months" },
    ],
    limits: "By the bill only; it does not say which snapshots are needed.",
    effort: "Set a lifecycle policy; delete snapshots nobody needs",
};

pub const JUDGE: Judge = Judge {
    rule: &RULE,
    reads: super::none,
    find: |bill| {
        growing(bill, &RULE, is_snapshot, |place| {
            let why = "Every month held at least as much as the one before. The saving is what going back to four months ago would bring.";
            (format!("Delete old snapshots: {place}"), why.to_owned())
        })
    },
};

pub fn is_snapshot(usage: &str) -> bool {
    usage.contains("EBS:SnapshotUsage")
        || usage.ends_with("Disks - LRS Snapshots")
        || usage.ends_with("Disks - ZRS Snapshots")
        || usage.contains("Storage PD Snapshot")
}
