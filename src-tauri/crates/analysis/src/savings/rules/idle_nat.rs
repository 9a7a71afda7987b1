//! Rule: NAT gateways with almost no traffic.
//!
//! <https://docs.aws.amazon.com/awssupport/latest/user/cost-optimization-checks.html> "Inactive NAT Gateways"; the meters of Azure are "Standard
//! Gateway" and "Standard Data Processed", those of Google "Cloud Nat Gateway Uptime" and "Cloud Nat Data Processing".

use super::Judge;
use super::simple::{figures, number, threshold};
use crate::savings::bill::{Bill, Line};
use crate::savings::finding::{Finding, Saving};
use crate::savings::rule::{Action, BY_THE_BILL, Category, Confidence, Rule, Threshold};
use crate::savings::subject::subjects;

const RULE: Rule = Rule {
    name: "idle_nat",
    version: 1,
    about: "A NAT gateway is billed by the hour and carries less than a gigabyte a month.",
    source: "https://docs.aws.amazon.com/awssupport/latest/user/cost-optimization-checks.html",
    aliases: &["ws_aws_nat_gateway_idle", "idle_nat_gateway"],
    category: Category::Configuration,
    action: Action::Delete,
    confidence: Confidence::Medium,
    thresholds: &[
        Threshold { name: "Traffic below", value: "1", unit: "GB in the period" },
        Threshold { name: "Billed for at least", value: "7", unit: "days" },
    ],
    limits: BY_THE_BILL,
    effort: "Delete the gateway and its routes",
};

pub const JUDGE: Judge =
    Judge { rule: &RULE, reads: |usage| is_hours(usage) || is_bytes(usage), find: judge };

fn judge(bill: &Bill) -> Vec<Finding> {
    let is_nat = |line: &Line| {
        (is_hours(&line.usage) || is_bytes(&line.usage))
            && (!is_shared_name(&line.usage) || is_nat_service(line))
    };
    subjects(bill, is_nat)
        .iter()
        .filter(|subject| {
            // Gateways without a resource id share one line and cannot be told apart.
            subject.key.resource.is_some()
                && subject.is_billed_still(7)
                && subject.has(|line| is_hours(&line.usage))
                && subject.quantity(|line| is_bytes(&line.usage)) < threshold(&RULE, 0)
        })
        .filter_map(|subject| {
            let traffic = subject.quantity(|line| is_bytes(&line.usage));
            let title = format!("Delete the idle NAT gateway {}", subject.name());
            let why = format!(
                "It was billed for {} days and carried {traffic} GB.",
                subject.days().1 - subject.days().0 + 1
            );
            subject.finding(&RULE, Saving::Share(number("1")), (title, why), figures(subject))
        })
        .collect()
}

fn is_hours(usage: &str) -> bool {
    usage.ends_with("NatGateway-Hours")
        || usage == "Standard Gateway"
        || usage.contains("Cloud Nat Gateway Uptime")
}

fn is_bytes(usage: &str) -> bool {
    usage.ends_with("NatGateway-Bytes")
        || usage == "Standard Data Processed"
        || usage.contains("Cloud Nat Data Processing")
}

/// Azure meter names that other services use, too.
fn is_shared_name(usage: &str) -> bool {
    usage == "Standard Gateway" || usage == "Standard Data Processed"
}

fn is_nat_service(line: &Line) -> bool {
    line.service.to_ascii_lowercase().contains("nat")
        || line.resource_name.as_deref().is_some_and(|name| name.to_ascii_lowercase().contains("nat"))
}
