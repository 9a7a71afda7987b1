//! Rule: io1 volumes, whose provisioned IOPS are paid for whether they are used or not.
//!
//! Prices per gigabyte on <https://aws.amazon.com/ebs/pricing/> (us-east-1, 2026): io1 0.125 USD, gp3 0.08 USD. The saved fraction is that of the
//! storage alone: 1 − 0.08 ÷ 0.125. The cost of the provisioned IOPS is part of the finding's figures and counts as not saved.

use super::Judge;
use super::simple::{figures, number};
use crate::savings::bill::Bill;
use crate::savings::finding::{Finding, Saving};
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};
use crate::savings::subject::subjects;

const SHARE: &str = "0.36";

const RULE: Rule = Rule {
    name: "io1_volume",
    version: 1,
    about: "A volume of type io1 costs more a gigabyte than gp3, which gives up to 16,000 IOPS.",
    source: "https://aws.amazon.com/ebs/pricing/",
    aliases: &["io1_to_io2", "ws_aws_volume_io1"],
    category: Category::InfraUpgrade,
    action: Action::Modify,
    confidence: Confidence::Low,
    thresholds: &[Threshold { name: "Share that is saved", value: SHARE, unit: "of the cost of storage" }],
    limits: "By the bill only; utilisation unknown. Work that needs more than 16,000 IOPS or a latency below a millisecond stays on io1 or io2.",
    effort: "Check the IOPS it uses, then change the type while it is in use",
};

pub const JUDGE: Judge = Judge { rule: &RULE, reads, find: judge };

fn judge(bill: &Bill) -> Vec<Finding> {
    let found = subjects(bill, |line| is_storage(&line.usage));
    let still = found.iter().filter(|subject| subject.is_billed_still(1));
    still
        .filter_map(|subject| {
            let mut figures = figures(subject);
            let speed = bill.lines.iter().filter(|line| {
                line.resource.is_some() && line.resource == subject.key.resource && is_speed(&line.usage)
            });
            for line in speed {
                let name = format!("{}: cost, kept", line.usage);
                figures.push(crate::savings::Figure::new(name, line.cost, line.currency.clone()));
            }
            let title = format!("Check whether {} needs io1", subject.name());
            let why = "The volume is billed as io1. The same storage as gp3 costs 36% less.".to_owned();
            subject.finding(&RULE, Saving::Share(number(SHARE)), (title, why), figures)
        })
        .collect()
}

fn is_storage(usage: &str) -> bool {
    usage.ends_with("EBS:VolumeUsage.piops")
}

fn is_speed(usage: &str) -> bool {
    usage.ends_with("EBS:VolumeP-IOPS.piops")
}

fn reads(usage: &str) -> bool {
    is_storage(usage) || is_speed(usage)
}
