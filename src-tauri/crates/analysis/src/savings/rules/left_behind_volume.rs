//! Rule: volumes whose instance is gone.
//!
//! <https://docs.aws.amazon.com/awssupport/latest/user/cost-optimization-checks.html> "Underutilized Amazon EBS Volumes". The bill does not
//! contain the instance to which a volume is attached; a common tag `Name` is weak evidence of it.

use super::Judge;
use super::simple::{figures, number};
use crate::savings::bill::Bill;
use crate::savings::finding::{Figure, Finding, Saving};
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};
use crate::savings::subject::subjects;

const QUIET_DAYS: i32 = 7;

const RULE: Rule = Rule {
    name: "left_behind_volume",
    version: 1,
    about: "A volume is billed, and the instance with the same name has not run for a week.",
    source: "https://docs.aws.amazon.com/awssupport/latest/user/cost-optimization-checks.html",
    aliases: &["unattached_volume", "ws_aws_volume_unattached"],
    category: Category::Configuration,
    action: Action::Delete,
    confidence: Confidence::Low,
    thresholds: &[Threshold { name: "No hour of an instance of that name for", value: "7", unit: "days" }],
    limits: "By the bill only: that volume and instance belong together is told by their label Name alone.",
    effort: "Take a snapshot, then delete the volume",
};

pub const JUDGE: Judge =
    Judge { rule: &RULE, reads: |usage| is_volume(usage) || is_instance(usage), find: judge };

fn judge(bill: &Bill) -> Vec<Finding> {
    let quiet = |label: &str, account| {
        let runs = bill.lines.iter().filter(|line| {
            line.account == account && line.label.as_deref() == Some(label) && is_instance(&line.usage)
        });
        runs.map(|line| line.last).max().filter(|last| bill.period.to - last >= QUIET_DAYS)
    };
    subjects(bill, |line| is_volume(&line.usage) && line.label.is_some())
        .iter()
        .filter(|subject| subject.key.resource.is_some() && subject.is_billed_still(QUIET_DAYS))
        .filter_map(|subject| {
            let label = subject.lines.first()?.label.as_deref()?;
            let last = quiet(label, subject.key.account)?;
            let mut figures = figures(subject);
            figures.push(Figure::whole(
                "Days without an hour of the instance",
                i64::from(bill.period.to - last),
                "days",
            ));
            let title = format!("Delete the volume {} that {label} left behind", subject.name());
            let why = format!(
                "The instance {label} last ran on {}; the volume of that name is still billed.",
                catalogue::format_date(last)
            );
            subject.finding(&RULE, Saving::Share(number("1")), (title, why), figures)
        })
        .collect()
}

fn is_volume(usage: &str) -> bool {
    usage.contains("EBS:VolumeUsage")
}

fn is_instance(usage: &str) -> bool {
    usage.contains("BoxUsage")
}
