//! Rule: instances and databases of a family with a cheaper successor.
//!
//! <https://aws.amazon.com/ec2/previous-generation/>; the price differences are in [`super::previous_prices`].

use super::Judge;
use super::previous_prices::{DATABASES, INSTANCES, Successor};
use super::simple::{figures, number};
use crate::savings::bill::Bill;
use crate::savings::finding::{Finding, Saving};
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};
use crate::savings::subject::subjects;

const RULE: Rule = Rule {
    name: "previous_generation",
    version: 1,
    about: "An instance or a database is of a family that has a cheaper successor of the same size.",
    source: "https://aws.amazon.com/ec2/previous-generation/",
    aliases: &["prev_gen_instance", "ws_aws_ec2_previous_generation", "ec2_instance_older_generation"],
    category: Category::InfraUpgrade,
    action: Action::Modify,
    confidence: Confidence::Medium,
    thresholds: &[Threshold {
        name: "Share that is saved",
        value: "0.02 to 0.27",
        unit: "of the cost, by family",
    }],
    limits: "By the bill only; utilisation unknown. The share is that of Linux in us-east-1; where a reservation covers the instance, it is saved when that ends.",
    effort: "Stop, change the type, start; check drivers first",
};

pub const JUDGE: Judge = Judge { rule: &RULE, reads: |usage| successor(usage).is_some(), find: judge };

fn judge(bill: &Bill) -> Vec<Finding> {
    let mut findings = Vec::new();
    for list in [&INSTANCES[..], &DATABASES[..]] {
        for successor_of in list {
            let found = subjects(bill, |line| {
                successor(&line.usage).is_some_and(|(_, one)| one.family == successor_of.family)
            });
            for subject in found.iter().filter(|subject| subject.is_billed_still(1)) {
                let size = subject.lines.first().and_then(|line| successor(&line.usage));
                let size = size.map(|(size, _)| size).unwrap_or_default();
                let (from, to) = (successor_of.family, successor_of.to);
                let title = format!("Replace {from}.{size} with {to}.{size}: {}", subject.name());
                let why = format!("{from} is a previous generation. {to} of the same size costs less.");
                let saving = Saving::Share(number(successor_of.share));
                findings.extend(subject.finding(&RULE, saving, (title, why), figures(subject)));
            }
        }
    }
    findings
}

/// The size and the successor of an instance, from a usage type such as `USE1-BoxUsage:m4.large`.
fn successor(usage: &str) -> Option<(&str, &'static Successor)> {
    let (kind, name) = usage.split_once(':')?;
    let list = match kind.rsplit('-').next()? {
        "BoxUsage" | "HeavyUsage" | "DedicatedUsage" | "UnusedBox" => &INSTANCES[..],
        "InstanceUsage" | "AZUsage" => &DATABASES[..],
        _ => return None,
    };
    let (family, size) = name.rsplit_once('.')?;
    list.iter().find(|one| one.family == family).map(|one| (size, one))
}

#[cfg(test)]
mod tests {
    use super::successor;

    #[test]
    fn usage_types_name_families() {
        let of = |usage| successor(usage).map(|(size, one)| (one.to, size));
        assert_eq!(of("BoxUsage:m4.large"), Some(("m6i", "large")));
        assert_eq!(of("EUC1-BoxUsage:t2.medium"), Some(("t3", "medium")));
        assert_eq!(of("USE2-Multi-AZUsage:db.r4.xlarge"), Some(("db.r6g", "xlarge")));
        assert_eq!(of("InstanceUsage:db.m4.large"), Some(("db.m5", "large")));
        assert_eq!((of("BoxUsage:m7g.large"), of("EBS:VolumeUsage.gp2")), (None, None));
    }
}
