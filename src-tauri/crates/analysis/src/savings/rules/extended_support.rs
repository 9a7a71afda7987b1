//! Rule: versions past their end of support, for which extended support is billed by the hour.
//!
//! <https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/extended-support-charges.html>, <https://aws.amazon.com/eks/pricing/>; Azure bills
//! "Long Term Support" of AKS, Google "Extended Support" of Cloud SQL and GKE.

use super::Judge;
use super::simple::by_usage;
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};

const RULE: Rule = Rule {
    name: "extended_support",
    version: 1,
    about: "A version is so old that its support is billed apart.",
    source: "https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/extended-support-charges.html",
    aliases: &["ws_aws_rds_extended_support", "ws_aws_eks_extended_support"],
    category: Category::InfraUpgrade,
    action: Action::Modify,
    confidence: Confidence::High,
    thresholds: &[Threshold {
        name: "Share that is saved",
        value: "1",
        unit: "of the cost of extended support",
    }],
    limits: "By the bill only; what the upgrade breaks it does not say.",
    effort: "Upgrade to a version with standard support",
};

pub const JUDGE: Judge = Judge {
    rule: &RULE,
    reads,
    find: |bill| {
        by_usage(bill, &RULE, "1", reads, |subject| {
            let title = format!("Upgrade {}: extended support is billed", subject.name());
            (title, "The charge ends with the upgrade to a version that has standard support.".to_owned())
        })
    },
};

fn reads(usage: &str) -> bool {
    let usage = usage.replace([' ', '-', '_'], "").to_ascii_lowercase();
    usage.contains("extendedsupport")
        || usage.contains("longtermsupport")
        || usage.contains("extendedsecurityupdates")
}
