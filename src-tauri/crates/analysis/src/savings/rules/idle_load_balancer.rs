//! Rule: load balancers without traffic.
//!
//! <https://docs.aws.amazon.com/awssupport/latest/user/cost-optimization-checks.html> "Idle Load Balancers". In the bill, these are billed by the
//! hour without capacity units (application, network), or with less than one gigabyte of traffic (classic, Azure, Google).

use super::Judge;
use super::simple::{figures, number, threshold};
use crate::savings::bill::Bill;
use crate::savings::finding::{Finding, Saving};
use crate::savings::rule::{Action, BY_THE_BILL, Category, Confidence, Rule, Threshold};
use crate::savings::subject::subjects;

const RULE: Rule = Rule {
    name: "idle_load_balancer",
    version: 1,
    about: "A load balancer is billed by the hour and used next to nothing.",
    source: "https://docs.aws.amazon.com/awssupport/latest/user/cost-optimization-checks.html",
    aliases: &["ws_aws_elb_idle", "idle_lb"],
    category: Category::Configuration,
    action: Action::Delete,
    confidence: Confidence::Medium,
    thresholds: &[
        Threshold { name: "Capacity units below", value: "1", unit: "LCU-hours in the period" },
        Threshold { name: "Traffic below", value: "1", unit: "GB in the period" },
        Threshold { name: "Billed for at least", value: "7", unit: "days" },
    ],
    limits: BY_THE_BILL,
    effort: "Delete the load balancer and its records in DNS",
};

pub const JUDGE: Judge =
    Judge { rule: &RULE, reads: |usage| is_hours(usage) || is_units(usage) || is_bytes(usage), find: judge };

fn judge(bill: &Bill) -> Vec<Finding> {
    let is_of_one = |service: &str, usage: &str| {
        is_hours(usage)
            || is_units(usage)
            || (is_bytes(usage) && service.to_ascii_lowercase().contains("load balanc"))
    };
    subjects(bill, |line| is_of_one(&line.service, &line.usage))
        .iter()
        .filter(|subject| {
            subject.key.resource.is_some()
                && subject.is_billed_still(7)
                && subject.has(|line| is_hours(&line.usage))
                && subject.quantity(|line| is_units(&line.usage)) < threshold(&RULE, 0)
                && subject.quantity(|line| is_bytes(&line.usage)) < threshold(&RULE, 1)
        })
        .filter_map(|subject| {
            let title = format!("Delete the idle load balancer {}", subject.name());
            let why = format!(
                "It was billed for {} days with {} capacity units and {} GB of traffic.",
                subject.days().1 - subject.days().0 + 1,
                subject.quantity(|line| is_units(&line.usage)),
                subject.quantity(|line| is_bytes(&line.usage)),
            );
            subject.finding(&RULE, Saving::Share(number("1")), (title, why), figures(subject))
        })
        .collect()
}

fn is_hours(usage: &str) -> bool {
    usage.ends_with("LoadBalancerUsage")
        || usage == "Standard Included LB Rules and Outbound Rules"
        || usage.contains("Forwarding Rule Minimum Service Charge")
}

fn is_units(usage: &str) -> bool {
    usage.ends_with("LCUUsage")
}

fn is_bytes(usage: &str) -> bool {
    usage.ends_with("DataProcessing-Bytes")
        || usage == "Standard Data Processed"
        || usage.contains("Forwarding Rule Data Processing")
}
