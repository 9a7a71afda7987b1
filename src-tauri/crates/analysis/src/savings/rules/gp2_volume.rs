//! Rule: gp2 volumes. gp3 costs 20% less per gigabyte for the same performance.
//!
//! <https://aws.amazon.com/blogs/storage/migrate-your-amazon-ebs-volumes-from-gp2-to-gp3-and-save-up-to-20-on-costs/>

use super::Judge;
use super::simple::by_usage;
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};

const SHARE: &str = "0.2";

const RULE: Rule = Rule {
    name: "gp2_to_gp3",
    version: 1,
    about: "A volume of type gp2 does the same work as gp3 at a lower price.",
    source: "https://aws.amazon.com/blogs/storage/migrate-your-amazon-ebs-volumes-from-gp2-to-gp3-and-save-up-to-20-on-costs/",
    aliases: &["ws_aws_volume_gp2", "ebs_volume_gp2"],
    category: Category::InfraUpgrade,
    action: Action::Modify,
    confidence: Confidence::Medium,
    thresholds: &[Threshold { name: "Share that is saved", value: SHARE, unit: "of the cost" }],
    limits: "By the bill only; utilisation unknown. Volumes above 1,000 GiB have more than the 3,000 IOPS that gp3 includes: there, more IOPS may have to be bought.",
    effort: "Change the type while the volume is in use",
};

pub const JUDGE: Judge = Judge {
    rule: &RULE,
    reads,
    find: |bill| {
        by_usage(bill, &RULE, SHARE, reads, |subject| {
            let title = format!("Change {} from gp2 to gp3", subject.name());
            (title, "The volume is billed as gp2. A gigabyte of gp3 costs 20% less.".to_owned())
        })
    },
};

fn reads(usage: &str) -> bool {
    usage.ends_with("EBS:VolumeUsage.gp2")
}
