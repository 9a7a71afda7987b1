//! Rule: stopped databases that are billed for their storage.
//!
//! <https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_StopInstance.html>: a stopped instance is billed for storage and backups, and
//! starts automatically after seven days.

use super::Judge;
use super::simple::{figures, number};
use crate::savings::bill::{Bill, Line};
use crate::savings::finding::{Finding, Saving};
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};
use crate::savings::subject::subjects;

const RULE: Rule = Rule {
    name: "stopped_database",
    version: 1,
    about: "A database is billed for storage and has no hours of running.",
    source: "https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_StopInstance.html",
    aliases: &["ws_aws_rds_stopped", "long_stopped_instance"],
    category: Category::Configuration,
    action: Action::Delete,
    confidence: Confidence::Low,
    thresholds: &[
        Threshold { name: "Hours of running", value: "0", unit: "hours in the period" },
        Threshold { name: "Billed for at least", value: "7", unit: "days" },
    ],
    limits: "By the bill only; utilisation unknown. A last snapshot costs less than the storage, and something.",
    effort: "Take a last snapshot, then delete the database",
};

pub const JUDGE: Judge =
    Judge { rule: &RULE, reads: |usage| is_storage(usage) || is_running(usage), find: judge };

fn judge(bill: &Bill) -> Vec<Finding> {
    let found = subjects(bill, |line: &Line| is_storage(&line.usage) || is_running(&line.usage));
    found
        .iter()
        .filter(|subject| {
            subject.key.resource.is_some()
                && subject.is_billed_still(7)
                && !subject.has(|line| is_running(&line.usage))
        })
        .filter_map(|subject| {
            let title = format!("Delete the stopped database {}", subject.name());
            let why = "It is billed for storage, and not for an hour of running.".to_owned();
            subject.finding(&RULE, Saving::Share(number("1")), (title, why), figures(subject))
        })
        .collect()
}

/// RDS storage: `RDS:GP2-Storage`, `RDS:Multi-AZ-GP3-Storage`, `RDS:StorageUsage`, `RDS:PIOPS-Storage`.
fn is_storage(usage: &str) -> bool {
    usage.split_once("RDS:").is_some_and(|(_, kind)| kind.ends_with("-Storage") || kind == "StorageUsage")
}

fn is_running(usage: &str) -> bool {
    usage.contains("InstanceUsage:db.")
        || usage.contains("AZUsage:db.")
        || usage.contains("InstanceUsageIOOptimized:db.")
}
