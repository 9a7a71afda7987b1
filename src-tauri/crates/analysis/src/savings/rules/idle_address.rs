//! Rule: public addresses that nothing uses.
//!
//! <https://docs.aws.amazon.com/awssupport/latest/user/cost-optimization-checks.html> "Unassociated Elastic IP Addresses"; Google names the
//! charge "Static Ip Charge" for addresses that are reserved and not in use (<https://cloud.google.com/vpc/pricing#ipaddress>).

use super::Judge;
use super::simple::by_usage;
use crate::savings::rule::{Action, BY_THE_BILL, Category, Confidence, Rule, Threshold};

const RULE: Rule = Rule {
    name: "idle_address",
    version: 1,
    about: "A public address is reserved, billed and attached to nothing.",
    source: "https://docs.aws.amazon.com/awssupport/latest/user/cost-optimization-checks.html",
    aliases: &["ws_aws_eip_unattached", "idle_ip", "obsolete_ips"],
    category: Category::Configuration,
    action: Action::Delete,
    confidence: Confidence::Medium,
    thresholds: &[Threshold { name: "Share that is saved", value: "1", unit: "of the cost" }],
    limits: BY_THE_BILL,
    effort: "Release the address; it cannot be had back",
};

pub const JUDGE: Judge = Judge {
    rule: &RULE,
    reads,
    find: |bill| {
        by_usage(bill, &RULE, "1", reads, |subject| {
            let title = format!("Release the unused address {}", subject.name());
            (title, "The provider bills the address as idle: it is attached to nothing.".to_owned())
        })
    },
};

fn reads(usage: &str) -> bool {
    usage.contains("ElasticIP:IdleAddress")
        || usage.contains("PublicIPv4:IdleAddress")
        || usage.starts_with("Static Ip Charge")
}
