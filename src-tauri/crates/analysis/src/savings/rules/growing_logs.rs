//! Rule: logs that are stored without a retention period.
//!
//! <https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/Working-with-log-groups-and-streams.html#SettingLogRetention>: without a retention
//! period, logs never expire.

use super::Judge;
use super::growth::growing;
use crate::savings::bill::Bill;
use crate::savings::finding::Finding;
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};

const RULE: Rule = Rule {
    name: "growing_logs",
    version: 2,
    about: "Stored logs have grown for 90 days: nothing seems to expire.",
    source: "https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/Working-with-log-groups-and-streams.html",
    aliases: &["log_group_no_retention", "ws_aws_cloudwatch_log_retention"],
    category: Category::Configuration,
    action: Action::Modify,
    confidence: Confidence::Low,
    thresholds: &[
        Threshold { name: "Grown over four months to at least", value: "1.05", unit: "times" },
        Threshold { name: "Months that hold less than the one before", value: "0", unit: "months" },
    ],
    limits: "By the bill only; it does not say how long logs must be kept.",
    effort: "Set a retention period",
};

pub const JUDGE: Judge = Judge { rule: &RULE, reads: super::none, find: judge };

fn judge(bill: &Bill) -> Vec<Finding> {
    // Object storage is metered under the same name; the service distinguishes logs.
    let mut logs = growing(bill, &RULE, is_log, |place| {
        let why = "Every month held at least as much as the one before. The saving is what going back to four months ago would bring.";
        (format!("Set a retention period for logs: {place}"), why.to_owned())
    });
    logs.retain(|finding| {
        let service = finding.object.to_ascii_lowercase();
        service.contains("cloudwatch") || service.contains("log")
    });
    logs
}

pub fn is_log(usage: &str) -> bool {
    usage.ends_with("TimedStorage-ByteHrs")
        || usage.ends_with("Analytics Logs Data Retention")
        || usage.contains("Log Storage cost")
        || usage.ends_with("Pay-as-you-go Data Retention")
}
